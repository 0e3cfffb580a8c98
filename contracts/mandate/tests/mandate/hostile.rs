//! Hostile contracts as tokens, customers and operators.

use crate::world::{CAP, Refusal, START, Terms, World, both};
use soroban_sdk::{Address, BytesN, Env, IntoVal, Symbol, Val, Vec, contract, contractimpl, symbol_short};

/// A token that does as planned in the function named by `at`, else nothing: 0 moves nothing, 1 calls back, and n fails
/// with the number n − 1,000.
#[contract]
struct HostileToken;

fn act(env: &Env, function: &str) {
    type Plan = (u32, Symbol, Address, Symbol, Vec<Val>);
    let Some((plan, at, target, called, arguments)) = env.storage().instance().get::<_, Plan>(&symbol_short!("plan"))
    else {
        return;
    };
    if at != Symbol::new(env, function) {
        return;
    }
    match plan {
        0 => {}
        1 => drop(env.invoke_contract::<Val>(&target, &called, arguments)),
        number => soroban_sdk::panic_with_error!(env, soroban_sdk::Error::from_contract_error(number - 1_000)),
    }
}

#[contractimpl]
impl HostileToken {
    pub fn plan(env: Env, plan: u32, at: Symbol, target: Address, function: Symbol, arguments: Vec<Val>) {
        env.storage().instance().set(&symbol_short!("plan"), &(plan, at, target, function, arguments));
    }

    pub fn allowance(env: Env, _from: Address, _spender: Address) -> i128 {
        act(&env, "allowance");
        0
    }

    pub fn approve(env: Env, _from: Address, _spender: Address, _amount: i128, _expiry: u32) {
        act(&env, "approve");
    }

    pub fn transfer_from(env: Env, _spender: Address, _from: Address, _to: Address, _amount: i128) -> u32 {
        act(&env, "transfer_from");
        7
    }
}

/// A token whose allowance is no number.
#[contract]
struct WordyToken;

#[contractimpl]
impl WordyToken {
    pub fn allowance(_env: Env, _from: Address, _spender: Address) -> Symbol {
        symbol_short!("much")
    }

    pub fn approve(_env: Env, _from: Address, _spender: Address, _amount: i128, _expiry: u32) {}
}

/// A customer contract whose `__check_auth` calls the mandate contract again.
#[contract]
struct HostileCustomer;

#[contractimpl]
impl HostileCustomer {
    pub fn plan(env: Env, target: Address, function: Symbol, arguments: Vec<Val>) {
        env.storage().instance().set(&symbol_short!("plan"), &(target, function, arguments));
    }

    #[allow(non_snake_case)]
    pub fn __check_auth(env: Env, _payload: BytesN<32>, _signature: Val, _contexts: Vec<soroban_sdk::auth::Context>) {
        let (target, function, arguments): (Address, Symbol, Vec<Val>) =
            env.storage().instance().get(&symbol_short!("plan")).unwrap();
        env.invoke_contract::<Val>(&target, &function, arguments);
    }
}

fn hostile(world: &World) -> (Address, BytesN<32>) {
    let token = world.env.register(HostileToken, ());
    let id = world.create(&Terms { token: token.clone(), reference: b"hostile".to_vec(), ..world.terms() }).unwrap();
    (token, id)
}

fn plan(world: &World, token: &Address, plan: u32, function: &str, arguments: Vec<Val>) {
    let [at, function] = ["transfer_from", function].map(|name| Symbol::new(&world.env, name));
    HostileTokenClient::new(&world.env, token).plan(&plan, &at, &world.mandate, &function, &arguments);
}

fn fail(world: &World, token: &Address, function: &str, number: u32) {
    let [at, called] = [function, "get"].map(|name| Symbol::new(&world.env, name));
    let none = Vec::new(&world.env);
    HostileTokenClient::new(&world.env, token).plan(&(1_000 + number), &at, &world.mandate, &called, &none);
}

#[test]
fn a_token_that_calls_back_is_stopped_and_the_mandate_stays_as_it_was() {
    both(|world| {
        let (token, id) = hostile(&world);
        let victim = world.create(&world.terms()).unwrap();
        let before = (world.get(&id), world.get(&victim));
        let calls: [(&str, Vec<Val>); 4] = [
            ("charge", world.charge_arguments(&id, START, CAP, b"p")),
            ("charge", world.charge_arguments(&victim, START, CAP, b"p")),
            ("cancel", (victim.clone(), world.operator.clone()).into_val(&world.env)),
            ("get", (victim.clone(),).into_val(&world.env)),
        ];
        for (function, arguments) in calls {
            plan(&world, &token, 1, function, arguments);
            assert_eq!(world.charge(&id, START, CAP, b"p"), Err(Refusal::Number(118)), "{function}");
            assert_eq!((world.get(&id), world.get(&victim)), before);
        }
        assert_eq!(world.paid(), 0);
    });
}

const SAID_AND_HEARD: [(u32, u32); 9] =
    [(0, 118), (1, 1), (2, 2), (15, 15), (99, 99), (100, 118), (113, 118), (120, 118), (u32::MAX - 1_000, 118)];

#[test]
fn a_token_that_fails_cannot_speak_in_our_numbers_nor_say_charged() {
    both(|world| {
        let (token, id) = hostile(&world);
        for (said, heard) in SAID_AND_HEARD {
            fail(&world, &token, "transfer_from", said);
            assert_eq!(world.charge(&id, START, CAP, b"p"), Err(Refusal::Number(heard)));
            assert_eq!(world.charge_many(&[(&id, START, CAP, b"p")]), Ok(vec![heard]));
            assert_eq!(world.get(&id).unwrap().last_period_start, None);
        }
    });
}

#[test]
fn a_token_that_fails_while_it_approves_cannot_speak_in_our_numbers() {
    both(|world| {
        let (token, id) = hostile(&world);
        let terms = Terms { token: token.clone(), reference: b"another".to_vec(), ..world.terms() };
        for function in ["allowance", "approve"] {
            for (said, heard) in SAID_AND_HEARD {
                fail(&world, &token, function, said);
                assert_eq!(world.create(&terms), Err(Refusal::Number(heard)));
                assert_eq!(world.renew(&id, terms.allowance, terms.expiry), Err(Refusal::Number(heard)));
            }
        }
    });
}

#[test]
fn a_token_that_answers_something_else_than_an_allowance_makes_no_mandate() {
    both(|world| {
        let token = world.env.register(WordyToken, ());
        assert_eq!(world.create(&Terms { token, ..world.terms() }), Err(Refusal::Number(118)));
    });
}

#[test]
fn a_hostile_token_in_a_batch_stops_nobody_else_and_can_say_charged_only_of_its_own() {
    both(|world| {
        let (token, id) = hostile(&world);
        let good = world.create(&world.terms()).unwrap();
        plan(&world, &token, 1, "charge", world.charge_arguments(&good, START, CAP, b"theirs"));
        assert_eq!(world.charge_many(&[(&id, START, CAP, b"p"), (&good, START, CAP, b"q")]), Ok(vec![118, 0]));
        plan(&world, &token, 0, "get", Vec::new(&world.env));
        assert_eq!(world.charge_many(&[(&id, START, CAP, b"p"), (&id, START, CAP, b"p")]), Ok(vec![0, 113]));
        assert_eq!(world.paid(), CAP);
    });
}

#[test]
fn a_token_that_is_no_token_makes_no_mandate() {
    both(|world| {
        for token in [world.mandate.clone(), world.payee.clone()] {
            assert_eq!(world.create(&Terms { token, ..world.terms() }), Err(Refusal::Number(118)));
        }
    });
}

#[test]
fn a_customer_contract_that_calls_back_while_it_consents_makes_no_mandate() {
    both(|world| {
        let good = world.create(&world.terms()).unwrap();
        let customer = world.env.register(HostileCustomer, ());
        let charge = world.charge_arguments(&good, START, CAP, b"p");
        let client = HostileCustomerClient::new(&world.env, &customer);
        client.plan(&world.mandate, &Symbol::new(&world.env, "charge"), &charge);
        let terms = Terms { customer: customer.clone(), ..world.terms() };
        let sign = || world.env.set_auths(&[crate::authorisation::signed_by_contract(&world, &terms)]);
        sign();
        assert!(matches!(world.create(&terms), Err(Refusal::Other(_))));
        assert_eq!((world.paid(), world.get(&good).unwrap().last_period_start), (0, None));
        client.plan(&world.token, &Symbol::new(&world.env, "decimals"), &Vec::new(&world.env));
        sign();
        assert!(world.create(&terms).is_ok());
    });
}
