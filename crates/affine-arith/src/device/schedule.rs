//! The order in which the operations of a plan are written: those with one text together, so that they have one place in a loop.

/// How an operation is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind<K> {
    /// By itself.
    Alone,
    /// Short: with others that are like it, as soon as it can be.
    Soon(K),
    /// Long: with as many others that are like it as there can be.
    Late(K),
}

/// Groups of operations in an order in which nothing is needed before it is there: one operation, or all at hand of which one is `like` the other.
pub(super) fn schedule<K>(needs: &[Vec<usize>], kinds: &[Kind<K>], like: impl Fn(&K, &K) -> bool) -> Vec<Vec<usize>> {
    let mut done = vec![false; needs.len()];
    let mut groups = Vec::new();
    while done.contains(&false) {
        // [1] Whatever is written by itself.
        for i in 0..needs.len() {
            if matches!(kinds[i], Kind::Alone) && is_ready(i, needs, &done) {
                done[i] = true;
                groups.push(vec![i]);
            }
        }
        // [2] The largest group of what is short; where nothing is, of what is long.
        let waiting = |late: bool| {
            let mut found: Vec<(&K, Vec<usize>)> = Vec::new();
            for i in (0..needs.len()).filter(|i| is_ready(*i, needs, &done)) {
                let key = match &kinds[i] {
                    Kind::Soon(key) if !late => key,
                    Kind::Late(key) if late => key,
                    _ => continue,
                };
                match found.iter_mut().find(|(known, _)| like(known, key)) {
                    Some((_, group)) => group.push(i),
                    None => found.push((key, vec![i])),
                }
            }
            let groups = found.into_iter().map(|(_, group)| group);
            groups.reduce(|most, next| if next.len() > most.len() { next } else { most })
        };
        if let Some(group) = waiting(false).or_else(|| waiting(true)) {
            group.iter().for_each(|i| done[*i] = true);
            groups.push(group);
        }
    }
    groups
}

fn is_ready(i: usize, needs: &[Vec<usize>], done: &[bool]) -> bool {
    !done[i] && needs[i].iter().all(|k| done[*k])
}

#[cfg(test)]
mod tests {
    use super::{Kind, schedule};

    #[test]
    fn long_operations_wait_for_those_like_them() {
        use Kind::{Alone, Late, Soon};
        // Two inputs; a long one of the first; a short one of the second, and a long one of that; their sum.
        let needs = [vec![], vec![], vec![0], vec![1], vec![3], vec![2, 4]];
        let kinds = [Alone, Alone, Late(1), Soon(2), Late(1), Soon(2)];
        let groups = schedule(&needs, &kinds, |a, b| a == b);
        assert_eq!(groups, [vec![0], vec![1], vec![3], vec![2, 4], vec![5]]);
        // Another function has a place of its own.
        let kinds = [Alone, Alone, Late(1), Soon(2), Late(3), Soon(2)];
        assert_eq!(schedule(&needs, &kinds, |a, b| a == b).len(), 6);
    }
}
