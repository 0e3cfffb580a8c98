//! Random sequences of everything that customer, operator and token can do, judged by the payments that were made.

use crate::calendar::{UNITS, period};
use crate::operator::{Draw, rest};
use crate::world::{CAP, Code, DAY, MAX_TTL, START, Terms, World};
use quittance_mandate::types::IntervalUnit;
use soroban_sdk::testutils::Ledger as _;
use soroban_sdk::{Address, BytesN};

struct Life {
    id: BytesN<32>,
    terms: Terms,
    unit: IntervalUnit,
    ended_at: Option<u64>,
    /// Close time, period start and amount of each charge.
    charges: Vec<(u64, u64, i128)>,
}

struct Story {
    world: World,
    lives: Vec<Life>,
    now: u64,
    /// The allowance as the payments and approvals explain it, and its last ledger.
    allowance: i128,
    expiry: u32,
}

impl Story {
    fn new(code: Code) -> Story {
        let world = World::new(code);
        world.env.ledger().with_mut(|ledger| ledger.sequence_number = 1);
        Story { world, lives: vec![], now: START, allowance: 0, expiry: 0 }
    }

    fn move_to(&mut self, now: u64) {
        self.now = now;
        // Ledgers of a minute: a story of years fits into the life of an allowance.
        let sequence = u32::try_from((now - START) / 60).unwrap() + 1;
        self.world.env.ledger().with_mut(|ledger| (ledger.timestamp, ledger.sequence_number) = (now, sequence));
        if sequence > self.expiry {
            self.allowance = 0;
        }
    }

    fn create(&mut self, draw: &mut Draw) {
        let unit = draw.of(&[UNITS[0], UNITS[0], UNITS[1], UNITS[2], UNITS[3]]);
        let first_charge_at = self.now + draw.of(&[0, DAY, 9 * DAY]) - draw.of(&[0, 0, DAY, 20 * DAY]);
        let replaced = draw.below(4 * self.lives.len() as u64 + 1) as usize;
        let sequence = self.world.env.ledger().sequence();
        let terms = Terms {
            unit: unit as u32,
            first_charge_at,
            ends_at: draw.of(&[None, None, Some(self.now + 40 * DAY)]),
            first_amount: draw.of(&[0, 0, CAP]),
            allowance: self.allowance + draw.of(&[CAP - 1, CAP, 9 * CAP]),
            expiry: draw.of(&[self.expiry.max(sequence), sequence + MAX_TTL - 1, sequence + MAX_TTL]),
            reference: (self.lives.len() as u64).to_be_bytes().to_vec(),
            replaces: self.lives.get(replaced).map(|life| life.id.clone()),
            ..self.world.terms()
        };
        let Ok(id) = self.world.create(&terms) else { return };
        assert!(terms.allowance >= self.allowance + CAP && terms.expiry >= self.expiry);
        (self.allowance, self.expiry) = (terms.allowance - terms.first_amount, terms.expiry);
        if let Some(old) = self.lives.get_mut(replaced) {
            old.ended_at.get_or_insert(self.now);
        }
        let first = (terms.first_amount > 0).then_some((self.now, self.now, terms.first_amount));
        self.lives.push(Life { id, terms, unit, ended_at: None, charges: first.into_iter().collect() });
    }

    fn charge(&mut self, draw: &mut Draw) {
        let Some(index) = draw.below(self.lives.len() as u64 + 1).checked_sub(1) else { return };
        let life = &mut self.lives[index as usize];
        let base = life.charges.last().map_or(life.terms.first_charge_at, |(_, start, _)| *start);
        let next = period(base, life.unit, 1, 1);
        let earlier = self.now - draw.below(40) * DAY / 2;
        let start = draw.of(&[base, next, next, self.now, earlier]);
        let amount = draw.of(&[CAP, CAP, 1, CAP + 1, 0, -1]);
        let reference = draw.below(9).to_be_bytes();
        let charged = if draw.below(2) == 0 {
            self.world.charge(&life.id, start, amount, &reference).is_ok()
        } else {
            self.world.charge_many(&[(&life.id, start, amount, &reference)]).unwrap() == [0]
        };
        if charged {
            assert!(life.ended_at.is_none());
            life.charges.push((self.now, start, amount));
            self.allowance -= amount;
        }
    }

    fn cancel(&mut self, draw: &mut Draw) {
        let Some(index) = draw.below(8 * self.lives.len() as u64 + 1).checked_sub(1) else { return };
        let Some(life) = self.lives.get_mut(index as usize) else { return };
        let by: Address = if draw.below(2) == 0 { self.world.customer.clone() } else { self.world.operator.clone() };
        self.world.cancel(&life.id, &by).unwrap();
        life.ended_at.get_or_insert(self.now);
    }

    fn renew(&mut self, draw: &mut Draw) {
        let Some(life) = self.lives.last() else { return };
        let sequence = self.world.env.ledger().sequence();
        let allowance = self.allowance + draw.of(&[-1, 0, CAP]);
        let expiry = draw.of(&[self.expiry.saturating_sub(1), self.expiry, sequence + MAX_TTL - 1]);
        if self.world.renew(&life.id, allowance, expiry).is_ok() {
            assert!(allowance >= self.allowance && expiry >= self.expiry && life.ended_at.is_none());
            (self.allowance, self.expiry) = (allowance, expiry);
        }
    }

    fn step(&mut self, draw: &mut Draw) {
        match draw.below(12) {
            0 => self.create(draw),
            1 => self.cancel(draw),
            2 => self.renew(draw),
            3 => self.move_to(self.now + draw.below(30) * DAY / 4),
            4..=6 => self.move_to(self.now + draw.of(&[1, DAY / 2 - 1, DAY / 2, DAY - 1, DAY])),
            _ => self.charge(draw),
        }
        assert_eq!(self.world.allowance(), self.allowance);
    }
}

/// Ends, caps, spacing, and the caps that fit into any window of time.
fn keeps_its_promises(Life { terms, unit, charges, .. }: &Life) {
    let promised = if terms.first_amount > 0 { &charges[1..] } else { charges };
    for (at, start, amount) in promised {
        assert!((1..=CAP).contains(amount) && *start >= terms.first_charge_at && start <= at);
        assert!(terms.ends_at.is_none_or(|end| *at < end));
    }
    let shortest = match unit {
        IntervalUnit::Day => DAY,
        IntervalUnit::Week => 7 * DAY,
        IntervalUnit::Month => 28 * DAY,
        IntervalUnit::Year => 365 * DAY,
    };
    let clamped = if *unit == IntervalUnit::Month || *unit == IntervalUnit::Year { 3 * DAY } else { 0 };
    for (index, (from, ..)) in charges.iter().enumerate() {
        for (count, (to, ..)) in charges[index..].iter().enumerate() {
            assert!(count == 0 || to - from >= rest(*unit, 1));
            assert!(count as u64 <= 1 + (to - from + clamped) / shortest, "{count} caps more in {} s", to - from);
        }
    }
}

fn lived(code: Code, seed: u64, stories: u64, steps: u64) {
    let mut draw = Draw(seed);
    let (mut charges, mut ended) = (0, 0);
    for number in 0..stories {
        let mut story = Story::new(code);
        for _ in 0..steps {
            story.step(&mut draw);
        }
        story.lives.iter().for_each(keeps_its_promises);
        let amounts = story.lives.iter().flat_map(|life| &life.charges);
        assert_eq!(story.world.paid(), amounts.map(|(.., amount)| amount).sum::<i128>(), "seed {seed}, story {number}");
        charges += story.lives.iter().map(|life| life.charges.len()).sum::<usize>();
        ended += story.lives.iter().filter(|life| life.ended_at.is_some()).count();
    }
    let least = stories as usize;
    assert!(charges > 5 * least && ended > least, "{charges} charges and {ended} ends are too few to prove anything");
}

#[test]
fn whatever_is_done_in_whatever_order_a_mandate_pays_no_more_no_sooner_and_no_later_than_was_signed() {
    lived(Code::Source, 20_261_123, 30, 300);
}

#[test]
fn so_do_the_committed_bytes() {
    lived(Code::CommittedBytes, 11, 4, 300);
}
