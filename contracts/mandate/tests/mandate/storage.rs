//! Lifetimes, archived entries, and allowances that expire or are shared.

use crate::world::{CAP, Code, DAY, MAX_TTL, Refusal, SEQUENCE, START, Terms, World, both};
use quittance_mandate::types::Key;
use soroban_sdk::BytesN;
use soroban_sdk::testutils::storage::{Instance as _, Persistent as _, Temporary as _};
use soroban_sdk::testutils::{Deployer as _, Ledger as _};

const SIXTY_DAYS: u32 = 1_036_800;

fn lives(world: &World, id: &BytesN<32>) -> (u32, u32) {
    let key = Key::Mandate(id.clone());
    world.env.as_contract(&world.mandate, || {
        (world.env.storage().persistent().get_ttl(&key), world.env.storage().instance().get_ttl())
    })
}

fn later(world: &World, ledgers: u32) {
    world.env.ledger().with_mut(|ledger| {
        ledger.sequence_number += ledgers;
        ledger.timestamp += u64::from(ledgers) * 5;
    });
}

#[test]
fn nobody_who_uses_the_contract_pays_for_the_life_of_its_code() {
    let world = World::new(Code::CommittedBytes);
    let before = world.env.deployer().get_contract_code_ttl(&world.mandate);
    let id = world.create(&Terms { first_amount: CAP, ..world.terms() }).unwrap();
    world.cancel(&id, &world.customer).unwrap();
    assert_eq!(world.env.deployer().get_contract_code_ttl(&world.mandate), before);
}

#[test]
fn a_mandate_and_the_contract_live_60_days_from_their_use_and_are_extended_from_30() {
    both(|world| {
        let id = world.create(&Terms { unit: 1, ..world.terms() }).unwrap();
        assert_eq!(lives(&world, &id), (SIXTY_DAYS, SIXTY_DAYS));
        later(&world, SIXTY_DAYS / 2 - 1);
        world.charge(&id, world.env.ledger().timestamp(), CAP, b"early").unwrap();
        assert_eq!(lives(&world, &id), (SIXTY_DAYS / 2 + 1, SIXTY_DAYS / 2 + 1));
        later(&world, DAY as u32 / 5);
        world.charge(&id, world.env.ledger().timestamp(), CAP, b"due").unwrap();
        assert_eq!(lives(&world, &id), (SIXTY_DAYS, SIXTY_DAYS));
        later(&world, SIXTY_DAYS);
        world.renew(&id, 200_000, SEQUENCE + MAX_TTL - 1).unwrap();
        assert_eq!(lives(&world, &id), (SIXTY_DAYS, SIXTY_DAYS));
    });
}

#[test]
fn an_archived_mandate_is_restored_by_the_call_that_uses_it_and_its_reference_stays_taken() {
    both(|world| {
        let id = world.create(&Terms { unit: 4, first_amount: CAP, ..world.terms() }).unwrap();
        later(&world, SIXTY_DAYS + MAX_TTL / 3);
        let again = Terms { allowance: 200_000, ..world.terms() };
        assert_eq!(world.create(&again), Err(Refusal::Number(101)));
        assert_eq!(world.charge(&id, world.env.ledger().timestamp(), CAP, b"p"), Err(Refusal::Number(115)));
        world.cancel(&id, &world.customer).unwrap();
        assert!(world.get(&id).unwrap().cancelled);
    });
}

#[test]
fn the_last_expiry_is_remembered_exactly_as_long_as_the_allowance_lives() {
    both(|world| {
        let expiry = SEQUENCE + 10_000;
        let id = world.create(&Terms { expiry, ..world.terms() }).unwrap();
        let key = Key::Expiry(world.customer.clone(), world.token.clone());
        let ttl = || world.env.as_contract(&world.mandate, || world.env.storage().temporary().get_ttl(&key));
        assert_eq!(ttl(), 10_000);
        // A little longer: the memory is extended, although much of its life is left.
        world.renew(&id, 100_000, expiry + 1).unwrap();
        assert_eq!(ttl(), 10_001);
        let expiry = expiry + 1;
        later(&world, 10_000);
        assert_eq!(world.renew(&id, 100_000, expiry - 1), Err(Refusal::Number(109)));
        assert_eq!(world.allowance(), 100_000);
        later(&world, 2);
        assert_eq!(world.allowance(), 0);
        let now = world.env.ledger().sequence();
        assert_eq!(world.renew(&id, 1, now - 1), Err(Refusal::Number(109)));
        assert_eq!(world.renew(&id, 1, now + 5), Ok(()));
        assert_eq!(world.allowance(), 1);
    });
}

#[test]
fn an_allowance_that_has_lapsed_pays_nothing_until_it_is_renewed() {
    both(|world| {
        let expiry = SEQUENCE + 5_000;
        let id = world.create(&Terms { expiry, unit: 1, ..world.terms() }).unwrap();
        later(&world, 5_000);
        world.charge(&id, world.env.ledger().timestamp(), CAP, b"last").unwrap();
        later(&world, DAY as u32 / 5);
        let start = world.env.ledger().timestamp();
        assert_eq!(world.charge(&id, start, CAP, b"next"), Err(Refusal::Number(9)));
        world.renew(&id, CAP, world.env.ledger().sequence() + 5).unwrap();
        assert_eq!(world.charge(&id, start, CAP, b"next"), Ok(()));
    });
}

#[test]
fn a_replaced_mandate_is_restored_if_it_was_archived() {
    both(|world| {
        let old = world.create(&Terms { unit: 4, first_amount: CAP, ..world.terms() }).unwrap();
        later(&world, SIXTY_DAYS + MAX_TTL / 3);
        let expiry = world.env.ledger().sequence() + MAX_TTL - 1;
        let replaces = Some(old.clone());
        let terms = Terms { reference: b"cs_2".to_vec(), allowance: 200_000, expiry, replaces, ..world.terms() };
        let id = world.create(&terms).unwrap();
        assert!(world.get(&old).unwrap().cancelled);
        assert_eq!(world.get(&id).unwrap().last_charged_at, START);
    });
}

#[test]
fn two_mandates_share_one_allowance_and_one_caps_at_its_own_cap() {
    both(|world| {
        let one = world.create(&Terms { allowance: CAP, ..world.terms() }).unwrap();
        let terms = Terms { reference: b"cs_2".to_vec(), cap: 50, allowance: CAP + 50, ..world.terms() };
        let two = world.create(&terms).unwrap();
        assert_eq!(world.charge(&two, START, 51, b"p"), Err(Refusal::Number(107)));
        assert_eq!(world.charge(&two, START, 50, b"p"), Ok(()));
        assert_eq!(world.charge(&one, START, CAP, b"q"), Ok(()));
        assert_eq!((world.paid(), world.allowance()), (CAP + 50, 0));
    });
}

#[test]
fn the_customer_can_take_the_whole_allowance_back_at_the_token_without_us() {
    both(|world| {
        let id = world.create(&world.terms()).unwrap();
        world.token().approve(&world.customer, &world.mandate, &0, &SEQUENCE);
        assert_eq!(world.charge(&id, START, CAP, b"p"), Err(Refusal::Number(9)));
    });
}

#[test]
fn nobody_can_spend_the_allowance_past_the_contract() {
    both(|world| {
        world.create(&world.terms()).unwrap();
        world.env.set_auths(&[]);
        let token = world.token();
        assert!(token.try_transfer_from(&world.mandate, &world.customer, &world.payee, &1).is_err());
        assert!(token.try_transfer_from(&world.operator, &world.customer, &world.payee, &1).is_err());
        assert_eq!(world.paid(), 0);
    });
}
