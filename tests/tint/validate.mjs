// Compiles WGSL files with Tint, the compiler of Dawn and Chrome, and with --pipelines makes a pipeline of each on the first adapter
// (minutes on a software device).
// node validate.mjs DIR [--pipelines]: DIR holds NAME.wgsl files; the package `webgpu` must be found from here.
// Prints a line for each file that fails, then `N compiled, N failed`; exit code 1 when any failed, 2 without an adapter.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, globals } from 'webgpu';

Object.assign(globalThis, globals);
const folder = process.argv[2];
const gpu = create([]);
const adapter = await gpu.requestAdapter();
if (!adapter) {
  console.log('no adapter');
  process.exit(2);
}
const wanted = ['subgroups', 'shader-f16', 'timestamp-query'].filter((name) => adapter.features.has(name));
const limits = {};
for (const name of ['maxStorageBuffersPerShaderStage', 'maxComputeWorkgroupStorageSize', 'maxComputeInvocationsPerWorkgroup', 'maxComputeWorkgroupSizeX']) {
  limits[name] = adapter.limits[name];
}
const device = await adapter.requestDevice({ requiredFeatures: wanted, requiredLimits: limits });
const pipelines = process.argv.includes('--pipelines');
let compiled = 0;
let failed = 0;
for (const file of readdirSync(folder).filter((name) => name.endsWith('.wgsl')).sort()) {
  const code = readFileSync(join(folder, file), 'utf8');
  const problems = [];
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code });
  const { messages } = await module.getCompilationInfo();
  for (const m of messages) {
    if (m.type === 'error') problems.push(`${m.lineNum}:${m.linePos} ${m.message}`);
  }
  if (pipelines && problems.length === 0) {
    try {
      await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
    } catch (error) {
      problems.push(String(error.message ?? error).split('\n')[0]);
    }
  }
  const error = await device.popErrorScope();
  if (error && problems.length === 0) problems.push(error.message.split('\n')[0]);
  if (problems.length === 0) {
    compiled += 1;
  } else {
    failed += 1;
    console.log(`FAILED ${file}: ${problems[0]}`);
  }
}
console.log(`${compiled} compiled, ${failed} failed`);
process.exit(failed ? 1 : 0);
