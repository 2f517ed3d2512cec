// Schedule: places in the bits of `body`, with the words there and the one behind them, which is asked for long before it is used. Needs a module with `body`, and
// `peek` of the format's order of bits.

struct Bits { at: u32, end: u32, first: u32, second: u32, coming: u32 }

// Nothing further than a word behind the one of bit `end` is read.
fn word_of(word: u32, end: u32) -> u32 {
    return body[min(word, (end >> 5u) + 1u)];
}

fn open_bits(at: u32, end: u32) -> Bits {
    let word = at >> 5u;
    return Bits(at, end, word_of(word, end), word_of(word + 1u, end), word_of(word + 2u, end));
}

// Goes on by up to 32 bits.
fn advance(bits: ptr<function, Bits>, n: u32) {
    let at = (*bits).at + n;
    let crosses = ((at ^ (*bits).at) & 32u) != 0u;
    (*bits).first = select((*bits).first, (*bits).second, crosses);
    (*bits).second = select((*bits).second, (*bits).coming, crosses);
    if crosses { (*bits).coming = word_of((at >> 5u) + 2u, (*bits).end); }
    (*bits).at = at;
}
