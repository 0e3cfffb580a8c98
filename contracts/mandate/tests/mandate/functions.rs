//! Effects, events and error numbers of every function, on both sides of each boundary.

use crate::calendar::UNITS;
use crate::world::{self, CAP, DAY, MAX_TTL, Refusal, SEQUENCE, START, Terms, World, both};
use quittance_mandate::calendar;
use quittance_mandate::types::{IntervalUnit, Mandate};
use soroban_sdk::testutils::{Address as _, Ledger as _};
use soroban_sdk::token::StellarAssetClient;
use soroban_sdk::xdr::{ScVal, ToXdr as _};
use soroban_sdk::{Address, BytesN, IntoVal, Map, Symbol, TryFromVal, Val};

const MONTH_AFTER: u64 = START + 28 * DAY;

fn number<T>(n: u32) -> Result<T, Refusal> {
    Err(Refusal::Number(n))
}

fn scval(world: &World, value: impl IntoVal<soroban_sdk::Env, Val>) -> ScVal {
    ScVal::try_from_val(&world.env, &value.into_val(&world.env)).expect("a value")
}

fn data(world: &World, fields: &[(&str, Val)]) -> ScVal {
    let mut map: Map<Symbol, Val> = Map::new(&world.env);
    for (name, value) in fields {
        map.set(Symbol::new(&world.env, name), *value);
    }
    scval(world, map)
}

fn topics(world: &World, name: &str, id: &BytesN<32>) -> Vec<ScVal> {
    vec![
        scval(world, Symbol::new(&world.env, name)),
        scval(world, id.clone()),
        scval(world, world.customer.clone()),
        scval(world, world.payee.clone()),
    ]
}

fn record(world: &World, terms: &Terms) -> Mandate {
    Mandate {
        cancelled: false,
        cap: terms.cap,
        customer: terms.customer.clone(),
        ends_at: terms.ends_at,
        first_charge_at: terms.first_charge_at,
        interval_count: terms.count,
        interval_unit: IntervalUnit::Month,
        last_charged_at: 0,
        last_period_start: None,
        last_reference: world.bytes(b""),
        operator: terms.operator.clone(),
        payee: terms.payee.clone(),
        reference: world.bytes(&terms.reference),
        token: terms.token.clone(),
    }
}

fn created(world: &World, id: &BytesN<32>, terms: &Terms) -> (Vec<ScVal>, ScVal) {
    let env = &world.env;
    let fields = [
        ("allowance", terms.allowance.into_val(env)),
        ("allowance_expiry_ledger", terms.expiry.into_val(env)),
        ("first_amount", terms.first_amount.into_val(env)),
        ("terms", record(world, terms).into_val(env)),
    ];
    (topics(world, "mandate_created", id), data(world, &fields))
}

fn charged(world: &World, id: &BytesN<32>, start: u64, amount: i128, reference: &[u8]) -> (Vec<ScVal>, ScVal) {
    let env = &world.env;
    let fields = [
        ("amount", amount.into_val(env)),
        ("period_start", start.into_val(env)),
        ("reference", world.bytes(reference).to_val()),
        ("token", world.token.to_val()),
    ];
    (topics(world, "charged", id), data(world, &fields))
}

#[test]
fn a_mandate_with_a_trial_is_recorded_approved_and_announced_and_nothing_is_charged() {
    both(|world| {
        let terms = Terms { first_charge_at: START + 7 * DAY, ends_at: Some(START + 400 * DAY), ..world.terms() };
        let id = world.create(&terms).unwrap();
        assert_eq!(world.events(), [created(&world, &id, &terms)]);
        assert_eq!(world.get(&id), Ok(record(&world, &terms)));
        assert_eq!((world.paid(), world.allowance()), (0, 100_000));
    });
}

#[test]
fn the_first_amount_is_charged_at_once_and_counts_as_the_period_that_begins_now() {
    both(|world| {
        let terms = Terms { first_amount: CAP, ..world.terms() };
        let id = world.create(&terms).unwrap();
        assert_eq!(world.events(), [created(&world, &id, &terms), charged(&world, &id, START, CAP, b"cs_1")]);
        assert_eq!((world.paid(), world.allowance()), (CAP, 100_000 - CAP));
        assert_eq!(world.charge(&id, START, CAP, b"cs_1"), number(113));
        world.at(MONTH_AFTER);
        assert_eq!(world.charge(&id, MONTH_AFTER - 1, CAP, b"pay_1"), number(115));
        assert_eq!(world.charge(&id, MONTH_AFTER, CAP, b"pay_1"), Ok(()));
    });
}

#[test]
fn the_id_is_the_hash_of_contract_customer_payee_operator_and_reference() {
    both(|world| {
        let World { mandate, customer, payee, operator, .. } = &world;
        let parts = (mandate.clone(), customer.clone(), payee.clone(), operator.clone(), world.bytes(b"cs_1"));
        let expected = world.env.crypto().sha256(&parts.to_xdr(&world.env)).to_bytes();
        assert_eq!(world.create(&world.terms()), Ok(expected));
    });
}

#[test]
fn two_instances_of_the_contract_never_give_the_same_id() {
    both(|mut world| {
        let one = world.create(&world.terms()).unwrap();
        world.mandate = world.env.register(world::WASM, ());
        assert_ne!(world.create(&world.terms()), Ok(one));
    });
}

#[test]
fn create_refuses_each_bad_term_and_takes_the_one_next_to_it() {
    both(|world| {
        let good = world.terms();
        let end_of_9999 = 253_402_300_799;
        let refused = |n: u32, terms: Terms| assert_eq!(world.create(&terms), number(n));
        let mut taken = 0_u8;
        let mut takes = |terms: Terms| {
            taken += 1;
            let allowance = 100_000 + i128::from(taken) * 10_000;
            let fresh = Terms {
                allowance,
                reference: if terms.reference == good.reference { vec![taken] } else { terms.reference.clone() },
                ..terms
            };
            world.create(&fresh).unwrap();
        };
        refused(102, Terms { reference: vec![], ..good.clone() });
        refused(102, Terms { reference: vec![7; 33], ..good.clone() });
        takes(Terms { reference: vec![7; 32], ..good.clone() });
        refused(103, Terms { payee: world.customer.clone(), ..good.clone() });
        refused(103, Terms { payee: world.mandate.clone(), ..good.clone() });
        refused(104, Terms { count: 0, ..good.clone() });
        refused(104, Terms { count: 367, ..good.clone() });
        takes(Terms { count: 366, unit: 4, ..good.clone() });
        refused(105, Terms { first_charge_at: end_of_9999 + 1, ..good.clone() });
        takes(Terms { first_charge_at: end_of_9999, ..good.clone() });
        refused(105, Terms { ends_at: Some(START), first_charge_at: START - 9, ..good.clone() });
        takes(Terms { ends_at: Some(START + 1), ..good.clone() });
        refused(105, Terms { ends_at: Some(START + 5), first_charge_at: START + 5, ..good.clone() });
        refused(106, Terms { cap: 0, ..good.clone() });
        takes(Terms { cap: 1, ..good.clone() });
        refused(106, Terms { first_amount: -1, ..good.clone() });
        refused(107, Terms { first_amount: CAP + 1, ..good.clone() });
        for unit in [0, 5] {
            let outcome = world.create(&Terms { unit, ..good.clone() });
            assert!(matches!(outcome, Err(Refusal::Other(_))), "{outcome:?}");
        }
        assert_eq!(world.paid(), 0);
    });
}

#[test]
fn a_reference_is_used_once_for_ever_but_nobody_can_take_it_from_another_customer() {
    both(|world| {
        let id = world.create(&world.terms()).unwrap();
        world.cancel(&id, &world.customer).unwrap();
        assert_eq!(world.create(&Terms { allowance: 200_000, ..world.terms() }), number(101));
        let stranger = Address::generate(&world.env);
        let other = world.create(&Terms { customer: stranger, ..world.terms() }).unwrap();
        assert_ne!(other, id);
    });
}

#[test]
fn the_allowance_is_at_least_the_current_one_and_the_cap_and_never_expires_earlier() {
    both(|world| {
        let first = Terms { allowance: CAP - 1, expiry: SEQUENCE + 1_000, ..world.terms() };
        assert_eq!(world.create(&first), number(108));
        let id = world.create(&Terms { allowance: CAP, ..first.clone() }).unwrap();
        let second = Terms { reference: b"cs_2".to_vec(), allowance: 2 * CAP, ..first };
        assert_eq!(world.create(&Terms { allowance: 2 * CAP - 1, ..second.clone() }), number(108));
        assert_eq!(world.create(&Terms { expiry: SEQUENCE + 999, ..second.clone() }), number(109));
        world.create(&second).unwrap();
        assert_eq!(world.renew(&id, 2 * CAP - 1, SEQUENCE + 1_000), number(108));
        assert_eq!(world.renew(&id, 2 * CAP, SEQUENCE + 999), number(109));
        assert_eq!(world.renew(&id, 2 * CAP, SEQUENCE + 1_000), Ok(()));
        assert_eq!(world.allowance(), 2 * CAP);
    });
}

#[test]
fn an_expiry_that_has_passed_is_refused() {
    both(|world| {
        assert_eq!(world.create(&Terms { expiry: SEQUENCE - 1, ..world.terms() }), number(109));
        world.create(&Terms { expiry: SEQUENCE, ..world.terms() }).unwrap();
    });
}

#[test]
fn an_expiry_past_the_network_s_maximum_is_refused_by_its_own_number() {
    both(|world| {
        let latest = SEQUENCE + MAX_TTL - 1;
        assert_eq!(world.create(&Terms { expiry: latest + 1, ..world.terms() }), number(119));
        let id = world.create(&Terms { expiry: latest, ..world.terms() }).unwrap();
        assert_eq!(world.renew(&id, 100_000, latest + 1), number(119));
    });
}

#[test]
fn a_lowered_network_maximum_blocks_neither_create_nor_renew() {
    both(|world| {
        let id = world.create(&world.terms()).unwrap();
        world.env.ledger().with_mut(|ledger| ledger.max_entry_ttl = 500_000);
        let latest = SEQUENCE + 499_999;
        let second = Terms { reference: b"cs_2".to_vec(), allowance: 200_000, expiry: latest, ..world.terms() };
        assert_eq!(world.create(&Terms { expiry: latest + 1, ..second.clone() }), number(119));
        // A ledger later, the customer's signature still names the maximum of the ledger before.
        world.env.ledger().with_mut(|ledger| ledger.sequence_number += 1);
        world.create(&second).unwrap();
        assert_eq!(world.renew(&id, 200_000, latest - 1), number(109));
        assert_eq!(world.renew(&id, 200_000, latest), Ok(()));
        assert_eq!(world.charge(&id, START, CAP, b"p"), Ok(()));
    });
}

#[test]
fn an_allowance_near_the_largest_number_blocks_no_mandate() {
    both(|world| {
        world.token().approve(&world.customer, &world.mandate, &i128::MAX, &(SEQUENCE + 9));
        assert_eq!(world.create(&Terms { allowance: i128::MAX - 1, ..world.terms() }), number(108));
        assert!(world.create(&Terms { allowance: i128::MAX, ..world.terms() }).is_ok());
    });
}

#[test]
fn renewing_an_allowance_announces_it_and_is_refused_once_cancelled() {
    both(|world| {
        let id = world.create(&world.terms()).unwrap();
        let expiry = world.terms().expiry;
        world.renew(&id, 150_000, expiry).unwrap();
        let fields = [
            ("allowance", 150_000_i128.into_val(&world.env)),
            ("allowance_expiry_ledger", expiry.into_val(&world.env)),
        ];
        assert_eq!(world.events(), [(topics(&world, "allowance_renewed", &id), data(&world, &fields))]);
        world.cancel(&id, &world.operator).unwrap();
        assert_eq!(world.renew(&id, 200_000, expiry), number(111));
    });
}

#[test]
fn a_charge_moves_the_amount_and_announces_and_records_it() {
    both(|world| {
        let id = world.create(&world.terms()).unwrap();
        assert_eq!(world.charge(&id, START, CAP, b"pay_1"), Ok(()));
        assert_eq!(world.events(), [charged(&world, &id, START, CAP, b"pay_1")]);
        let expected = Mandate {
            last_charged_at: START,
            last_period_start: Some(START),
            last_reference: world.bytes(b"pay_1"),
            ..record(&world, &world.terms())
        };
        assert_eq!(world.get(&id), Ok(expected));
        assert_eq!((world.paid(), world.token().balance(&world.customer)), (CAP, 1_000_000 - CAP));
    });
}

#[test]
fn a_charge_is_refused_by_its_number() {
    both(|world| {
        let first = START + DAY;
        let id =
            world.create(&Terms { first_charge_at: first, ends_at: Some(START + 60 * DAY), ..world.terms() }).unwrap();
        let unknown = BytesN::from_array(&world.env, &[9; 32]);
        world.at(first + 5);
        assert_eq!(world.charge(&unknown, first, CAP, b"p"), number(100));
        assert_eq!(world.charge(&id, first, CAP, b""), number(102));
        assert_eq!(world.charge(&id, first, CAP, &[1; 33]), number(102));
        assert_eq!(world.charge(&id, first, 0, b"p"), number(106));
        assert_eq!(world.charge(&id, first, CAP + 1, b"p"), number(107));
        assert_eq!(world.charge(&id, first - 1, CAP, b"p"), number(115));
        assert_eq!(world.charge(&id, first + 6, CAP, b"p"), number(116));
        assert_eq!(world.charge(&id, first + 5, CAP, b"p"), Ok(()));
        assert_eq!(world.charge(&id, first + 5, CAP, b"p"), number(113));
        assert_eq!(world.charge(&id, first + 5, CAP, b"q"), number(114));
        assert_eq!(world.charge(&id, first + 6, CAP, b"q"), number(115));
        world.at(START + 60 * DAY - 1);
        assert_eq!(world.charge(&id, START + 32 * DAY, 0, b"q"), number(106));
        world.at(START + 60 * DAY);
        assert_eq!(world.charge(&id, START + 60 * DAY, CAP, b"q"), number(112));
        assert_eq!(world.charge(&id, first + 5, CAP, b"p"), number(113));
        assert_eq!(world.paid(), CAP);
    });
}

#[test]
fn a_period_that_is_over_cannot_be_charged_any_more() {
    both(|world| {
        let start = START + 10 * DAY; // 10 February, its own anchor: over on 10 March
        let id = world.create(&Terms { first_charge_at: start, ..world.terms() }).unwrap();
        world.at(start + 28 * DAY);
        assert_eq!(world.charge(&id, start, CAP, b"p"), number(117));
        world.at(start + 28 * DAY - 1);
        assert_eq!(world.charge(&id, start, CAP, b"p"), Ok(()));
    });
}

#[test]
fn cancelling_is_final_announced_once_and_open_to_customer_and_operator_only() {
    both(|world| {
        let id = world.create(&world.terms()).unwrap();
        let unknown = BytesN::from_array(&world.env, &[9; 32]);
        assert_eq!(world.cancel(&unknown, &world.customer), number(100));
        assert_eq!(world.cancel(&id, &world.payee), number(110));
        assert_eq!(world.cancel(&id, &world.operator), Ok(()));
        let by = [("by", world.operator.to_val())];
        assert_eq!(world.events(), [(topics(&world, "mandate_cancelled", &id), data(&world, &by))]);
        assert_eq!(world.cancel(&id, &world.customer), Ok(()));
        assert_eq!(world.events(), []);
        assert_eq!(world.charge(&id, START, CAP, b"p"), number(111));
        assert_eq!(world.get(&id), Ok(Mandate { cancelled: true, ..record(&world, &world.terms()) }));
    });
}

fn cancelled(world: &World, id: &BytesN<32>, by: &Address) -> (Vec<ScVal>, ScVal) {
    (topics(world, "mandate_cancelled", id), data(world, &[("by", by.to_val())]))
}

#[test]
fn a_mandate_that_replaces_another_ends_it_in_the_same_call() {
    both(|world| {
        let old = world.create(&world.terms()).unwrap();
        world.charge(&old, START, CAP, b"pay_1").unwrap();
        let operator = Address::generate(&world.env);
        let terms = Terms {
            cap: 2 * CAP,
            operator: operator.clone(),
            first_amount: 7,
            allowance: 200_000,
            reference: b"cs_2".to_vec(),
            replaces: Some(old.clone()),
            ..world.terms()
        };
        let id = world.create(&terms).unwrap();
        let (of, at_start) = created(&world, &id, &terms);
        let [first, second, third] = <[_; 3]>::try_from(world.events()).unwrap();
        assert_eq!((first.0, second), (of, cancelled(&world, &old, &world.customer)));
        assert_ne!(first.1, at_start, "the terms hold the time of the last charge");
        assert_eq!(third, charged(&world, &id, START, 7, b"cs_2"));
        assert!(world.get(&old).unwrap().cancelled);
        world.at(MONTH_AFTER);
        assert_eq!(world.charge(&old, MONTH_AFTER, CAP, b"pay_2"), number(111));
        assert_eq!(world.charge(&id, MONTH_AFTER, 2 * CAP, b"pay_2"), Ok(()));
    });
}

#[test]
fn a_mandate_replaces_a_cancelled_one_without_announcing_its_end_again_but_none_that_is_unknown() {
    both(|world| {
        let old = world.create(&world.terms()).unwrap();
        world.cancel(&old, &world.operator).unwrap();
        let terms = Terms { allowance: 200_000, reference: b"cs_2".to_vec(), ..world.terms() };
        let unknown = BytesN::from_array(&world.env, &[9; 32]);
        assert_eq!(world.create(&Terms { replaces: Some(unknown), ..terms.clone() }), number(100));
        let terms = Terms { replaces: Some(old.clone()), ..terms };
        let id = world.create(&terms).unwrap();
        assert_eq!(world.events(), [created(&world, &id, &terms)]);
        assert_eq!(world.create(&Terms { replaces: Some(id), allowance: 300_000, ..terms }), number(101));
    });
}

#[test]
fn a_refused_replacement_leaves_the_old_mandate_as_it_was() {
    both(|world| {
        let old = world.create(&world.terms()).unwrap();
        let terms = Terms { reference: b"cs_2".to_vec(), replaces: Some(old.clone()), ..world.terms() };
        assert_eq!(world.create(&Terms { allowance: 100_000 + CAP - 1, ..terms.clone() }), number(108));
        StellarAssetClient::new(&world.env, &world.token).set_authorized(&world.customer, &false);
        assert_eq!(world.create(&Terms { allowance: 200_000, first_amount: 1, ..terms }), number(11));
        assert!(!world.get(&old).unwrap().cancelled);
    });
}

#[test]
fn two_charges_lie_half_a_period_or_a_day_apart() {
    let [day, week, month, year] = UNITS;
    for (unit, count, rest) in [(day, 1, DAY / 2), (day, 2, DAY), (week, 1, DAY), (month, 1, DAY), (year, 1, DAY)] {
        both(|world| {
            let start = START + 10 * DAY;
            let terms = Terms { unit: unit as u32, count, first_charge_at: start, ..world.terms() };
            let id = world.create(&terms).unwrap();
            let end = calendar::next(start, unit, count);
            let at = |timestamp| world.env.ledger().with_mut(|ledger| ledger.timestamp = timestamp);
            at(end - 1);
            world.charge(&id, start, CAP, b"pay_1").unwrap();
            assert_eq!(world.get(&id).unwrap().last_charged_at, end - 1);
            at(end);
            assert_eq!(world.charge(&id, end, CAP, b"pay_2"), number(120));
            at(end + rest - 2);
            assert_eq!(world.charge_many(&[(&id, end, CAP, b"pay_2")]), Ok(vec![120]));
            at(end + rest - 1);
            assert_eq!(world.charge(&id, end, CAP, b"pay_2"), Ok(()));
        });
    }
}

#[test]
fn two_charges_lie_apart_after_a_first_charge_time_in_the_past_and_across_a_replacement() {
    both(|world| {
        // From 1 January to 1 February: over a day after START.
        let past = Terms { first_charge_at: START - 30 * DAY, ..world.terms() };
        let (second, last) = (START + DAY, START + DAY - 1);
        let old = world.create(&past).unwrap();
        world.at(last);
        world.charge(&old, START - 30 * DAY, CAP, b"pay_1").unwrap();
        world.at(second);
        assert_eq!(world.charge(&old, second, CAP, b"pay_2"), number(120));
        let replaces = Some(old);
        let terms = Terms { allowance: 200_000, reference: b"cs_2".to_vec(), replaces, ..world.terms() };
        let id = world.create(&terms).unwrap();
        assert_eq!(world.charge(&id, second, CAP, b"pay_2"), number(120));
        world.at(last + DAY - 1);
        assert_eq!(world.charge(&id, second, CAP, b"pay_2"), number(120));
        world.at(last + DAY);
        assert_eq!(world.charge(&id, second, CAP, b"pay_2"), Ok(()));
    });
}

#[test]
fn what_does_not_exist_is_neither_shown_nor_renewed() {
    both(|world| {
        let unknown = BytesN::from_array(&world.env, &[9; 32]);
        assert_eq!(world.get(&unknown), number(100));
        assert_eq!(world.renew(&unknown, 1, SEQUENCE), number(100));
    });
}

#[test]
fn a_charge_that_has_landed_is_known_whatever_became_of_its_mandate() {
    both(|world| {
        let id = world.create(&Terms { ends_at: Some(START + DAY), ..world.terms() }).unwrap();
        world.charge(&id, START, CAP, b"pay_1").unwrap();
        world.cancel(&id, &world.customer).unwrap();
        world.at(START + 40 * DAY);
        assert_eq!(world.charge(&id, START, CAP, b"pay_1"), number(113));
        assert_eq!(world.charge(&id, START, 0, b"pay_1"), number(113));
        assert_eq!(world.charge(&id, START, CAP, b"pay_2"), number(114));
        assert_eq!(world.charge_many(&[(&id, START, CAP, b"pay_1"), (&id, START, CAP, b"")]), Ok(vec![113, 114]));
        assert_eq!(world.charge(&id, START + 40 * DAY, CAP, b"pay_1"), number(111));
    });
}

#[test]
fn a_token_s_refusal_comes_through_with_its_own_number() {
    both(|world| {
        let id = world.create(&Terms { allowance: CAP, ..world.terms() }).unwrap();
        let poor = Terms { customer: Address::generate(&world.env), ..world.terms() };
        let poor_id = world.create(&poor).unwrap();
        assert_eq!(world.charge(&poor_id, START, CAP, b"p"), number(10));
        assert_eq!(
            world.create(&Terms { reference: b"cs_2".to_vec(), first_amount: CAP, ..poor.clone() }),
            number(108)
        );
        assert_eq!(
            world.create(&Terms { reference: b"cs_2".to_vec(), first_amount: CAP, allowance: 200_000, ..poor }),
            number(10)
        );
        StellarAssetClient::new(&world.env, &world.token).set_authorized(&world.customer, &false);
        assert_eq!(world.charge(&id, START, CAP, b"p"), number(11));
        StellarAssetClient::new(&world.env, &world.token).set_authorized(&world.customer, &true);
        world.token().approve(&world.customer, &world.mandate, &(CAP - 1), &(SEQUENCE + 9));
        assert_eq!(world.charge(&id, START, CAP, b"p"), number(9));
        assert_eq!(world.charge(&id, START, CAP - 1, b"p"), Ok(()));
    });
}

#[test]
fn a_batch_answers_item_by_item_and_none_stops_the_others() {
    both(|world| {
        let good = world.create(&world.terms()).unwrap();
        let poor = world.create(&Terms { customer: Address::generate(&world.env), ..world.terms() }).unwrap();
        let foreign = Terms { operator: Address::generate(&world.env), allowance: 200_000, ..world.terms() };
        let foreign = world.create(&foreign).unwrap();
        let other = world.create(&Terms { reference: b"cs_2".to_vec(), allowance: 300_000, ..world.terms() }).unwrap();
        let unknown = BytesN::from_array(&world.env, &[9; 32]);
        let results = world.charge_many(&[
            (&poor, START, CAP, b"p1"),
            (&good, START, CAP, b"p2"),
            (&unknown, START, CAP, b"p3"),
            (&foreign, START, CAP, b"p4"),
            (&good, START, CAP, b"p2"),
            (&good, START, CAP, b"p5"),
            (&other, START, CAP + 1, b"p6"),
            (&other, START, 7, b"p7"),
        ]);
        assert_eq!(
            world.events(),
            [charged(&world, &good, START, CAP, b"p2"), charged(&world, &other, START, 7, b"p7")]
        );
        assert_eq!(results, Ok(vec![10, 0, 100, 110, 113, 114, 107, 0]));
        assert_eq!(world.paid(), CAP + 7);
        assert_eq!(world.charge_many(&[]), Ok(vec![]));
    });
}
