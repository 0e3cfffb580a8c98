//! Compares our calendar with chrono's, in monthly and yearly plans over month ends, trials, pauses and new anchors.

use crate::world::{CAP, Code, DAY, MAX_TTL, Refusal, Terms, World};
use chrono::{DateTime, Datelike, Days, Months, NaiveDate, NaiveTime, Timelike};
use quittance_mandate::calendar;
use quittance_mandate::types::IntervalUnit;
use soroban_sdk::testutils::Ledger as _;
use std::cell::Cell;

pub const UNITS: [IntervalUnit; 4] = [IntervalUnit::Day, IntervalUnit::Week, IntervalUnit::Month, IntervalUnit::Year];

fn date_time(seconds: u64) -> chrono::NaiveDateTime {
    DateTime::from_timestamp(seconds as i64, 0).unwrap().naive_utc()
}

/// `anchor + n × interval`, clamped: the domain's rule for period n.
pub fn period(anchor: u64, unit: IntervalUnit, count: u32, n: u32) -> u64 {
    let from = date_time(anchor);
    let steps = count * n;
    let to = match unit {
        IntervalUnit::Day => from.checked_add_days(Days::new(steps.into())),
        IntervalUnit::Week => from.checked_add_days(Days::new(u64::from(steps) * 7)),
        IntervalUnit::Month => from.checked_add_months(Months::new(steps)),
        IntervalUnit::Year => from.checked_add_months(Months::new(steps * 12)),
    };
    to.unwrap().and_utc().timestamp() as u64
}

/// The latest end of a period that begins at `start`, over every anchor that clamps to it.
pub fn latest_end(start: u64, unit: IntervalUnit, count: u32) -> u64 {
    let (next, at) = (period(start, unit, count, 1), date_time(start));
    let months = match unit {
        IntervalUnit::Day | IntervalUnit::Week => return next,
        IntervalUnit::Month | IntervalUnit::Year => date_time(next).date(),
    };
    let last_of = |date: NaiveDate| {
        date.checked_add_months(Months::new(1)).unwrap().with_day(1).unwrap().pred_opt().unwrap().day()
    };
    let anchors = if at.day() == last_of(at.date()) { at.day()..=31 } else { at.day()..=at.day() };
    let clamped = anchors.map(|day| months.with_day(day.min(last_of(months))).unwrap()).max().unwrap();
    let seconds = NaiveTime::num_seconds_from_midnight(&at.time());
    clamped.and_hms_opt(0, 0, 0).unwrap().and_utc().timestamp() as u64 + u64::from(seconds)
}

#[test]
fn every_day_of_400_years_has_the_next_period_and_the_end_that_chrono_gives() {
    for day in 0..(400 * 366_u64) {
        let start = day * DAY + day % DAY;
        for unit in UNITS {
            for count in [1, if day % 2 == 0 { 3 } else { 11 }] {
                assert_eq!(
                    calendar::next(start, unit, count),
                    period(start, unit, count, 1),
                    "{start} {unit:?} {count}"
                );
                assert_eq!(
                    calendar::end(start, unit, count),
                    latest_end(start, unit, count),
                    "{start} {unit:?} {count}"
                );
            }
        }
    }
}

#[test]
fn a_later_start_never_has_an_earlier_next_period() {
    for day in 0..3_000_u64 {
        for unit in UNITS {
            let next = |seconds: u64| calendar::next(seconds, unit, 1);
            assert!(next(day * DAY) <= next((day + 1) * DAY) && next((day + 1) * DAY) <= next((day + 1) * DAY + 1));
        }
    }
}

#[test]
fn an_end_is_never_more_than_3_days_after_the_next_period() {
    for day in 0..3_000_u64 {
        for unit in UNITS {
            let (next, end) = (calendar::next(day * DAY, unit, 1), calendar::end(day * DAY, unit, 1));
            assert!(next <= end && end <= next + 3 * DAY);
        }
    }
}

fn seconds(year: i32, month: u32, day: u32) -> Option<u64> {
    let date = NaiveDate::from_ymd_opt(year, month, day)?;
    Some(date.and_hms_opt(10, 20, 30)?.and_utc().timestamp() as u64)
}

/// Charges every period of a plan: a trial, four months, a pause over at least one period, and a new anchor, four more.
/// Tries each a second early, and charges it as early as can be or at its last second: none is lost.
fn lives_through(anchor: u64, unit: IntervalUnit) {
    let world = World::new(Code::Source);
    let trial = 3 * DAY;
    world.env.ledger().with_mut(|ledger| {
        ledger.timestamp = anchor - trial;
        ledger.sequence_number = 1;
    });
    let terms = Terms { unit: unit as u32, first_charge_at: anchor, expiry: MAX_TTL - 1, ..world.terms() };
    let id = world.create(&terms).unwrap();
    let keep_sequence = |timestamp| world.env.ledger().with_mut(|ledger| ledger.timestamp = timestamp);
    let last = Cell::new(None);
    let charged_at = Cell::new(0);
    let cycle = |anchor: u64, name: &str| {
        for n in 0..5 {
            let (start, end) = (period(anchor, unit, 1, n), period(anchor, unit, 1, n + 1));
            keep_sequence(start - 1);
            // After a clamped start the operator may begin a new anchor before the old one's next period, but no sooner.
            let soonest = last.get().map_or(anchor, |last| period(last, unit, 1, 1));
            assert_eq!(world.charge(&id, soonest - 1, CAP, b"early"), Err(Refusal::Number(115)), "{anchor} {n}");
            assert_eq!(world.charge(&id, start, CAP, b"early"), Err(Refusal::Number(116)), "{anchor} {n}");
            let soonest = start.max(charged_at.get() + DAY);
            if soonest > start {
                keep_sequence(soonest - 1);
                assert_eq!(world.charge(&id, start, CAP, b"close"), Err(Refusal::Number(120)), "{anchor} {n}");
            }
            charged_at.set(if n % 2 == 0 { soonest } else { end - 1 });
            keep_sequence(charged_at.get());
            assert_eq!(world.charge(&id, start, CAP, format!("{name}{n}").as_bytes()), Ok(()), "{anchor} {n}");
            last.set(Some(start));
        }
    };
    cycle(anchor, "a");
    // The first anchor after a pause may be any second at which the last charged period is a whole interval away.
    cycle(period(period(anchor, unit, 1, 4), unit, 1, 1), "b");
}

#[test]
fn monthly_plans_anchored_at_each_month_s_end_over_8_years_are_charged_every_period_with_trial_pause_and_resume() {
    for year in 2027..2035 {
        for month in 1..=12 {
            for anchor in (28..=31).filter_map(|day| seconds(year, month, day)) {
                lives_through(anchor, IntervalUnit::Month);
            }
        }
    }
}

#[test]
fn yearly_plans_anchored_around_the_leap_day_are_charged_every_period_with_trial_pause_and_resume() {
    for year in 2027..2035 {
        for anchor in [seconds(year, 2, 28), seconds(year, 2, 29), seconds(year, 3, 1)].into_iter().flatten() {
            lives_through(anchor, IntervalUnit::Year);
        }
    }
}
