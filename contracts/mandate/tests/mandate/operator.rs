//! A hostile operator never collects more than the customer signed for, whatever it tries.

use crate::calendar::{UNITS, latest_end, period};
use crate::world::{CAP, Code, DAY, MAX_TTL, Refusal, START, Terms, World};
use quittance_mandate::types::IntervalUnit;
use soroban_sdk::testutils::Ledger as _;

pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }

    pub fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
}

struct Collected {
    at: u64,
    start: u64,
    amount: i128,
}

/// Half an interval, and a day at most: only daily plans have a shorter interval than two days.
pub fn rest(unit: IntervalUnit, count: u32) -> u64 {
    if unit == IntervalUnit::Day && count == 1 { DAY / 2 } else { DAY }
}

/// The promises of the mandate, computed with chrono.
fn allowed(terms: &Terms, unit: IntervalUnit, last: Option<&Collected>, at: u64, start: u64, amount: i128) -> bool {
    (1..=terms.cap).contains(&amount)
        && start >= terms.first_charge_at
        && last.is_none_or(|last| start >= period(last.start, unit, terms.count, 1))
        && last.is_none_or(|last| at >= last.at + rest(unit, terms.count))
        && start <= at
        && at < latest_end(start, unit, terms.count)
        && terms.ends_at.is_none_or(|end| at < end)
}

/// Attacks one mandate. Returns the collected amounts; `attempts` counts the tries.
fn attack(world: &World, draw: &mut Draw, name: u64, attempts: u64) -> (Terms, IntervalUnit, Vec<Collected>) {
    let unit = draw.of(&UNITS);
    let count = draw.of(&[1, 1, 2, 3]);
    let created = START + draw.below(3_000) * DAY + draw.below(DAY);
    let first_charge_at = created + draw.of(&[0, 0, DAY, 14 * DAY]);
    let length = period(created, unit, count, 1) - created;
    world.env.ledger().with_mut(|ledger| {
        ledger.timestamp = created;
        ledger.sequence_number = 1;
    });
    let terms = Terms {
        unit: unit as u32,
        count,
        first_charge_at,
        ends_at: draw.of(&[None, None, Some(first_charge_at + length * 5 / 2)]),
        first_amount: draw.of(&[0, CAP]),
        allowance: 10_000 * CAP,
        expiry: MAX_TTL - 1,
        reference: name.to_be_bytes().to_vec(),
        ..world.terms()
    };
    let id = world.create(&terms).unwrap();
    let mut collected = Vec::new();
    if terms.first_amount > 0 {
        collected.push(Collected { at: created, start: created, amount: terms.first_amount });
    }
    let mut now = created;
    for attempt in 0..attempts {
        let last: Option<&Collected> = collected.last();
        let base = last.map_or(first_charge_at, |one| one.start);
        let rested = last.map_or(base, |one| one.at + rest(unit, count));
        let next = period(base, unit, count, 1);
        let ends = latest_end(base, unit, count);
        let boundaries =
            [next, ends, period(next, unit, count, 1), latest_end(next, unit, count), first_charge_at, base, rested];
        let beside = |draw: &mut Draw, second: u64| second + draw.below(3) - 1;
        let boundary = draw.of(&boundaries);
        let moved = match draw.below(4) {
            0 => now,
            1 => now + draw.below(length / 3),
            _ => beside(draw, boundary),
        };
        now = now.max(moved);
        world.env.ledger().with_mut(|ledger| ledger.timestamp = now);
        let boundary = draw.of(&boundaries);
        let start = match draw.below(4) {
            0 => beside(draw, now),
            1 => (now + DAY).saturating_sub(draw.below(2 * length)),
            _ => beside(draw, boundary),
        };
        let amount = draw.of(&[CAP, CAP, CAP, 1, CAP + 1, 0]);
        let reference = attempt.to_be_bytes();
        let outcome = if draw.below(2) == 0 {
            world.charge(&id, start, amount, &reference)
        } else {
            match world.charge_many(&[(&id, start, amount, &reference), (&id, start, amount, &reference)]).unwrap()[..]
            {
                [0, 113] => Ok(()),
                [one, two] if one == two => Err(Refusal::Number(one)),
                ref other => panic!("a batch answered {other:?}"),
            }
        };
        let expected = allowed(&terms, unit, last, now, start, amount);
        let last = last.map(|one| (one.at, one.start));
        assert_eq!(outcome.is_ok(), expected, "{name}: at {now} for {start}, last {last:?}: {outcome:?}");
        if expected {
            collected.push(Collected { at: now, start, amount });
        }
    }
    (terms, unit, collected)
}

/// At most one cap for each interval that has begun, none before its time, none after it, none closer than an interval.
fn keeps_the_promise(terms: &Terms, unit: IntervalUnit, collected: &[Collected]) {
    let first = collected.first().map_or(terms.first_charge_at, |one| one.start.min(terms.first_charge_at));
    for (index, one) in collected.iter().enumerate() {
        let mut begun = 0;
        let mut start = first;
        while start <= one.at {
            begun += 1;
            start = period(start, unit, terms.count, 1);
        }
        let so_far: i128 = collected[..=index].iter().map(|one| one.amount).sum();
        assert!(so_far <= terms.cap * begun, "{so_far} within {begun} intervals");
        assert!(one.start <= one.at && one.at < period(one.start, unit, terms.count, 1) + 3 * DAY);
    }
    for pair in collected.windows(2) {
        assert!(pair[1].start >= period(pair[0].start, unit, terms.count, 1));
        assert!(pair[1].at >= pair[0].at + rest(unit, terms.count));
    }
}

fn attacked(code: Code, seed: u64, mandates: u64, attempts: u64) {
    let mut draw = Draw(seed);
    let mut charges = 0;
    for name in 0..mandates {
        let world = World::new(code);
        let (terms, unit, collected) = attack(&world, &mut draw, name, attempts);
        keeps_the_promise(&terms, unit, &collected);
        charges += collected.len() as u64;
        let total: i128 = collected.iter().map(|one| one.amount).sum();
        assert_eq!(world.paid(), total, "seed {seed}");
    }
    assert!(charges > mandates * 3, "only {charges} charges were ever allowed: the attack does not reach far enough");
}

#[test]
fn an_operator_who_tries_every_boundary_and_drawn_times_collects_at_most_one_cap_per_interval() {
    attacked(Code::Source, 20_261_120, 60, 60);
}

#[test]
fn so_does_one_who_attacks_the_committed_bytes() {
    attacked(Code::CommittedBytes, 7, 6, 60);
}
