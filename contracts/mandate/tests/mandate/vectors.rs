//! Scenarios as JSON for other hosts of the committed bytes: `vectors/*.generated.json`, see README.md.
//! `MANDATE_WRITE_VECTORS=1` writes them; without it they must equal the behaviour of the bytes.

use crate::calendar::UNITS;
use crate::world::{CAP, Code, DAY, MAX_TTL, Refusal, SEQUENCE, START, Terms, WASM, World};
use quittance_mandate::calendar;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use soroban_sdk::testutils::{Address as _, Events as _, Ledger as _};
use soroban_sdk::token::StellarAssetClient;
use soroban_sdk::xdr::{LedgerEntry, LedgerKey, Limits, ScVal, WriteXdr};
use soroban_sdk::{Address, BytesN, TryFromVal, Val, Vec};
use std::collections::BTreeMap;
use std::path::PathBuf;

type Entries = BTreeMap<LedgerKey, (LedgerEntry, Option<u32>)>;

fn xdr(value: &impl WriteXdr) -> String {
    value.to_xdr_base64(Limits::none()).expect("xdr")
}

fn scval(world: &World, value: &Val) -> String {
    xdr(&ScVal::try_from_val(&world.env, value).expect("a value"))
}

/// All entries but the code, which is `quittance_mandate.wasm`, and the nonces of made-up signatures.
fn entries(world: &World) -> Entries {
    let nonce =
        |key: &LedgerKey| matches!(key, LedgerKey::ContractData(data) if matches!(data.key, ScVal::LedgerKeyNonce(_)));
    let all = world.env.to_ledger_snapshot().ledger_entries.into_iter();
    all.filter(|(key, _)| !matches!(**key, LedgerKey::ContractCode(_)) && !nonce(key))
        .map(|(key, (entry, live_until))| (*key, (*entry, live_until)))
        .collect()
}

fn entry(found: Option<&(LedgerEntry, Option<u32>)>) -> Value {
    found.map_or(Value::Null, |(entry, live_until)| json!({ "entry": xdr(entry), "live_until": live_until }))
}

fn changes(before: &Entries, after: &Entries) -> std::vec::Vec<Value> {
    let keys: std::collections::BTreeSet<&LedgerKey> = before.keys().chain(after.keys()).collect();
    let changed = keys.into_iter().filter(|key| before.get(key) != after.get(key));
    changed
        .map(|key| json!({ "key": xdr(key), "before": entry(before.get(key)), "after": entry(after.get(key)) }))
        .collect()
}

/// One call of the mandate contract, with every signature that it needs.
pub fn step(
    world: &World,
    function: &str,
    arguments: &Vec<Val>,
    call: impl FnOnce() -> Result<Val, Refusal>,
) -> (Result<Val, Refusal>, Value) {
    let ledger = world.env.ledger().get();
    let before = entries(world);
    let outcome = call();
    let used = world.env.cost_estimate().resources();
    let events: std::vec::Vec<String> = world.env.events().all().events().iter().map(xdr).collect();
    let signed = world.env.host().get_authenticated_authorizations().unwrap_or_default();
    let authorisations: std::vec::Vec<Value> =
        signed.iter().map(|(address, tree)| json!({ "address": xdr(address), "invocation": xdr(tree) })).collect();
    let told = match &outcome {
        Ok(value) => json!({ "value": scval(world, value) }),
        Err(Refusal::Number(number)) => json!({ "contract_error": number }),
        Err(Refusal::Other(_)) => json!({ "other_error": true }),
    };
    let arguments: std::vec::Vec<String> = arguments.iter().map(|one| scval(world, &one)).collect();
    let step = json!({
        "ledger": { "sequence": ledger.sequence_number, "timestamp": ledger.timestamp },
        "function": function,
        "arguments": arguments,
        "authorisations": authorisations,
        "outcome": told,
        "cost": {
            "instructions": used.instructions,
            "memory_bytes": used.mem_bytes,
            "read_entries": used.disk_read_entries + used.memory_read_entries,
            "write_entries": used.write_entries,
            "write_bytes": used.write_bytes,
            "event_bytes": used.contract_events_size_bytes,
            "fee_stroops": world.env.cost_estimate().fee().total,
        },
        "events": events,
        "changes": changes(&before, &entries(world)),
    });
    (outcome, step)
}

/// A change of the ledger by others between two calls.
pub fn outside(world: &World, act: impl FnOnce()) -> Value {
    let ledger = world.env.ledger().get();
    let before = entries(world);
    act();
    let ledger = json!({ "sequence": ledger.sequence_number, "timestamp": ledger.timestamp });
    json!({ "ledger": ledger, "changes": changes(&before, &entries(world)) })
}

fn holds(name: &str, content: &Value) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("vectors").join(format!("{name}.generated.json"));
    let text = serde_json::to_string_pretty(content).unwrap() + "\n";
    if std::env::var_os("MANDATE_WRITE_VECTORS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    assert!(std::fs::read_to_string(&path).ok() == Some(text), "{} is out of date", path.display());
}

fn scenario(name: &str, play: impl FnOnce(&World)) {
    let world = World::new(Code::CommittedBytes);
    let ledger = world.env.ledger().get();
    let initial: std::vec::Vec<Value> = entries(&world)
        .iter()
        .map(|(key, (value, live_until))| json!({ "key": xdr(key), "entry": xdr(value), "live_until": live_until }))
        .collect();
    world.record();
    play(&world);
    let content = json!({
        "wasm_sha256": format!("{:x}", Sha256::digest(WASM)),
        "contract": world.mandate.to_string().to_string(),
        "network": {
            "protocol": ledger.protocol_version,
            "min_persistent_entry_ttl": ledger.min_persistent_entry_ttl,
            "min_temp_entry_ttl": ledger.min_temp_entry_ttl,
            "max_entry_ttl": ledger.max_entry_ttl,
        },
        "initial": initial,
        "steps": world.recorded(),
    });
    holds(name, &content);
}

#[test]
fn the_vectors_of_a_life_with_a_trial_are_what_the_bytes_do() {
    scenario("trial", |world| {
        let first = START + 7 * DAY;
        let id =
            world.create(&Terms { first_charge_at: first, ends_at: Some(first + 45 * DAY), ..world.terms() }).unwrap();
        let _ = world.get(&id);
        let _ = world.charge(&id, first, CAP, b"pay_1");
        world.at(first);
        let _ = world.charge(&id, first - 1, CAP, b"pay_1");
        let _ = world.charge(&id, first, CAP + 1, b"pay_1");
        let _ = world.charge(&id, first, 0, b"pay_1");
        let _ = world.charge(&id, first, CAP, b"");
        world.charge(&id, first, CAP, b"pay_1").unwrap();
        let _ = world.charge(&id, first, CAP, b"pay_1");
        let _ = world.charge(&id, first, CAP, b"pay_2");
        world.at(first + 45 * DAY);
        let _ = world.charge(&id, first + 30 * DAY, CAP, b"pay_2");
        let _ = world.cancel(&id, &world.payee);
        world.cancel(&id, &world.customer).unwrap();
        world.cancel(&id, &world.operator).unwrap();
        let _ = world.charge(&id, first + 30 * DAY, CAP, b"pay_2");
        let _ = world.renew(&id, 200_000, SEQUENCE + MAX_TTL);
        let _ = world.get(&id);
        let _ = world.get(&BytesN::from_array(&world.env, &[9; 32]));
    });
}

#[test]
fn the_vectors_of_a_plan_from_the_31st_are_what_the_bytes_do() {
    scenario("month-ends", |world| {
        let id = world.create(&Terms { first_amount: CAP, ..world.terms() }).unwrap();
        let mut start = START;
        for n in 1..6 {
            let next = calendar::end(start, UNITS[2], 1);
            world.at(next - 1);
            let _ = world.charge(&id, next, CAP, b"early");
            world.at(next);
            let _ = world.charge(&id, start, CAP, b"late");
            if n != 3 {
                world.charge(&id, next, CAP, &[n]).unwrap();
            }
            start = next;
        }
    });
}

#[test]
fn the_vectors_of_a_mandate_that_replaces_another_are_what_the_bytes_do() {
    scenario("replacing", |world| {
        let old = world.create(&Terms { unit: 1, ..world.terms() }).unwrap();
        world.at(START + DAY - 1);
        world.charge(&old, START, CAP, b"pay_1").unwrap();
        world.at(START + DAY);
        let _ = world.charge(&old, START + DAY, CAP, b"pay_2");
        let second = Terms { reference: b"cs_2".to_vec(), allowance: 200_000, ..world.terms() };
        let unknown = BytesN::from_array(&world.env, &[9; 32]);
        assert!(world.create(&Terms { replaces: Some(unknown), ..second.clone() }).is_err());
        let id = world.create(&Terms { unit: 1, replaces: Some(old.clone()), ..second.clone() }).unwrap();
        let _ = world.charge(&old, START + DAY, CAP, b"pay_2");
        let _ = world.charge(&id, START + DAY, CAP, b"pay_2");
        world.at(START + DAY - 1 + DAY / 2);
        world.charge(&id, START + DAY, CAP, b"pay_2").unwrap();
        let wallet = Address::generate(&world.env);
        let moved = Terms { customer: wallet, reference: b"cs_3".to_vec(), replaces: Some(id), ..second };
        world.create(&moved).unwrap();
    });
}

#[test]
fn the_vectors_of_refused_terms_are_what_the_bytes_do() {
    scenario("terms", |world| {
        let good = world.terms();
        let bad = [
            Terms { reference: vec![], ..good.clone() },
            Terms { reference: vec![7; 33], ..good.clone() },
            Terms { payee: world.customer.clone(), ..good.clone() },
            Terms { payee: world.mandate.clone(), ..good.clone() },
            Terms { count: 0, ..good.clone() },
            Terms { count: 367, ..good.clone() },
            Terms { unit: 0, ..good.clone() },
            Terms { first_charge_at: u64::MAX, ..good.clone() },
            Terms { ends_at: Some(START), ..good.clone() },
            Terms { cap: 0, ..good.clone() },
            Terms { first_amount: -1, ..good.clone() },
            Terms { first_amount: CAP + 1, ..good.clone() },
            Terms { allowance: CAP - 1, ..good.clone() },
            Terms { expiry: SEQUENCE - 1, ..good.clone() },
            Terms { expiry: SEQUENCE + MAX_TTL, ..good.clone() },
        ];
        for terms in bad {
            assert!(world.create(&terms).is_err());
        }
        for (unit, name) in [(1, b"day_"), (2, b"week"), (3, b"mont"), (4, b"year")] {
            world
                .create(&Terms {
                    unit,
                    reference: name.to_vec(),
                    allowance: 100_000 * i128::from(unit),
                    ..good.clone()
                })
                .unwrap();
        }
        let _ = world.create(&Terms { reference: b"day_".to_vec(), allowance: 900_000, ..good });
    });
}

#[test]
fn the_vectors_of_allowances_and_a_token_s_refusals_are_what_the_bytes_do() {
    scenario("allowance", |world| {
        let id =
            world.create(&Terms { unit: 1, allowance: 3 * CAP, expiry: SEQUENCE + 40_000, ..world.terms() }).unwrap();
        let _ = world.create(&Terms { reference: b"cs_2".to_vec(), expiry: SEQUENCE + 39_999, ..world.terms() });
        let poor = Terms { customer: Address::generate(&world.env), ..world.terms() };
        let poor = world.create(&poor).unwrap();
        let _ = world.charge(&poor, START, CAP, b"pay_1");
        let issuer = StellarAssetClient::new(&world.env, &world.token);
        world.outside(|| issuer.set_authorized(&world.customer, &false));
        let _ = world.charge(&id, START, CAP, b"pay_1");
        world.outside(|| issuer.set_authorized(&world.customer, &true));
        world.charge(&id, START, CAP, b"pay_1").unwrap();
        let _ = world.renew(&id, 2 * CAP - 1, SEQUENCE + 40_000);
        let _ = world.renew(&id, 2 * CAP, SEQUENCE + 39_999);
        world.renew(&id, 2 * CAP, SEQUENCE + 50_000).unwrap();
        world.at(START + 4 * DAY);
        let _ = world.charge(&id, START + 4 * DAY, CAP, b"pay_2");
        world.renew(&id, CAP, SEQUENCE + MAX_TTL).unwrap();
        world.charge(&id, START + 4 * DAY, CAP, b"pay_2").unwrap();
    });
}

#[test]
fn the_vectors_of_a_batch_are_what_the_bytes_do() {
    scenario("batch", |world| {
        let good = world.create(&world.terms()).unwrap();
        let poor = world.create(&Terms { customer: Address::generate(&world.env), ..world.terms() }).unwrap();
        let other = Terms { operator: Address::generate(&world.env), allowance: 200_000, ..world.terms() };
        let foreign = world.create(&other).unwrap();
        let unknown = BytesN::from_array(&world.env, &[9; 32]);
        let items: [(&BytesN<32>, u64, i128, &[u8]); 7] = [
            (&poor, START, CAP, b"p1"),
            (&good, START, CAP + 1, b"p2"),
            (&good, START, CAP, b"p2"),
            (&unknown, START, CAP, b"p3"),
            (&foreign, START, CAP, b"p4"),
            (&good, START, CAP, b"p2"),
            (&good, START, CAP, b"p5"),
        ];
        assert_eq!(world.charge_many(&items), Ok(vec![10, 107, 0, 100, 110, 113, 114]));
        assert_eq!(world.charge_many(&[]), Ok(vec![]));
    });
}

#[test]
fn the_vectors_of_the_calendar_are_what_the_source_does() {
    let mut rows = vec![];
    for n in 0..90_u64 {
        let start = START + n * 17 * DAY + n * 3_607;
        for unit in UNITS {
            for count in [1, 3] {
                let (next, end) = (calendar::next(start, unit, count), calendar::end(start, unit, count));
                rows.push(json!([start, unit as u32, count, next, end]));
            }
        }
    }
    holds("calendar", &json!({ "columns": ["start", "interval_unit", "interval_count", "next", "end"], "rows": rows }));
}
