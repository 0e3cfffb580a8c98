//! Which signatures each call needs: it is tried with none, with every wrong signer's, and with the right one.

use crate::world::{CAP, Refusal, SEQUENCE, START, Terms, World, both};
use soroban_sdk::testutils::{Address as _, MockAuthInvoke};
use soroban_sdk::xdr::{
    AccountId, InvokeContractArgs, PublicKey, ScErrorCode, ScErrorType, ScVal, SorobanAddressCredentials,
    SorobanAuthorizationEntry, SorobanAuthorizedFunction, SorobanAuthorizedInvocation, SorobanCredentials, Uint256,
};
use soroban_sdk::{Address, Env, IntoVal, TryFromVal, Val, Vec};

fn unsigned<T: std::fmt::Debug>(outcome: Result<T, Refusal>) {
    let expected = soroban_sdk::Error::from_type_and_code(ScErrorType::Context, ScErrorCode::InvalidAction);
    match outcome {
        Err(Refusal::Other(words)) => assert_eq!(words, format!("Ok({expected:?})")),
        other => panic!("{other:?}"),
    }
}

fn approve_arguments(world: &World, allowance: i128, expiry: u32) -> Vec<Val> {
    (world.customer.clone(), world.mandate.clone(), allowance, expiry).into_val(&world.env)
}

/// Tries a call without a signature, with each wrong signer's, then with the right one.
fn only_by(world: &World, right: &[&Address], function: &str, arguments: &Vec<Val>, inside: &[MockAuthInvoke]) {
    let stranger = Address::generate(&world.env);
    let everybody = [&world.customer, &world.payee, &world.operator, &stranger, &world.token];
    world.env.set_auths(&[]);
    unsigned(world.call(function, arguments.clone()));
    for wrong in everybody.into_iter().filter(|one| !right.contains(one) && *one != &world.token) {
        world.only_signed(&[(wrong, function, arguments.clone(), inside)]);
        unsigned(world.call(function, arguments.clone()));
    }
    for signer in right {
        world.only_signed(&[(signer, function, arguments.clone(), inside)]);
        world.call(function, arguments.clone()).unwrap();
    }
}

#[test]
fn create_needs_the_customer_s_signature_for_exactly_this_mandate_and_this_approval() {
    both(|world| {
        let terms = Terms { first_amount: CAP, ..world.terms() };
        let arguments = world.create_arguments(&terms);
        let approve = |allowance, expiry| MockAuthInvoke {
            contract: &world.token,
            fn_name: "approve",
            args: approve_arguments(&world, allowance, expiry),
            sub_invokes: &[],
        };
        let signed = |arguments: &Vec<Val>, inside: &[MockAuthInvoke]| {
            world.only_signed(&[(&world.customer, "create", arguments.clone(), inside)]);
        };
        let unapproved = Err(Refusal::Number(118));
        signed(&arguments, &[]);
        assert_eq!(world.create(&terms), unapproved);
        signed(&arguments, &[approve(terms.allowance - 1, terms.expiry)]);
        assert_eq!(world.create(&terms), unapproved);
        signed(&arguments, &[approve(terms.allowance, terms.expiry - 1)]);
        assert_eq!(world.create(&terms), unapproved);
        signed(
            &world.create_arguments(&Terms { cap: CAP + 1, ..terms.clone() }),
            &[approve(terms.allowance, terms.expiry)],
        );
        unsigned(world.create(&terms));
        only_by(&world, &[&world.customer], "create", &arguments, &[approve(terms.allowance, terms.expiry)]);
        assert_eq!(world.paid(), CAP);
    });
}

#[test]
fn replacing_the_mandate_of_another_customer_needs_the_signature_of_its_operator_too() {
    both(|world| {
        let old = world.create(&world.terms()).unwrap();
        let [wallet, operator] = [(); 2].map(|()| Address::generate(&world.env));
        let replaces = Some(old.clone());
        let terms = Terms { customer: wallet.clone(), operator: operator.clone(), replaces, ..world.terms() };
        let arguments = world.create_arguments(&terms);
        let approve = MockAuthInvoke {
            contract: &world.token,
            fn_name: "approve",
            args: (wallet.clone(), world.mandate.clone(), terms.allowance, terms.expiry).into_val(&world.env),
            sub_invokes: &[],
        };
        let inside = [approve];
        let signed: [(&Address, &str, Vec<Val>, &[MockAuthInvoke]); 1] =
            [(&wallet, "create", arguments.clone(), &inside)];
        world.only_signed(&signed);
        unsigned(world.create(&terms));
        for wrong in [&world.customer, &world.payee, &operator] {
            world.only_signed(&[signed[0].clone(), (wrong, "create", arguments.clone(), &[])]);
            unsigned(world.create(&terms));
        }
        assert!(!world.get(&old).unwrap().cancelled);
        world.only_signed(&[signed[0].clone(), (&world.operator, "create", arguments.clone(), &[])]);
        world.create(&terms).unwrap();
        assert!(world.get(&old).unwrap().cancelled);
        assert_eq!(world.get(&old).unwrap().customer, world.customer);
    });
}

#[test]
fn a_customer_who_is_the_operator_of_what_they_replace_signs_once() {
    both(|world| {
        let old = world.create(&world.terms()).unwrap();
        let customer = world.operator.clone();
        let terms = Terms { customer: customer.clone(), replaces: Some(old.clone()), ..world.terms() };
        let args = (customer.clone(), world.mandate.clone(), terms.allowance, terms.expiry).into_val(&world.env);
        let approve = MockAuthInvoke { contract: &world.token, fn_name: "approve", args, sub_invokes: &[] };
        world.only_signed(&[(&customer, "create", world.create_arguments(&terms), &[approve])]);
        world.create(&terms).unwrap();
        assert!(world.get(&old).unwrap().cancelled);
    });
}

#[test]
fn charging_needs_the_operator_s_signature_and_no_other() {
    both(|world| {
        let id = world.create(&world.terms()).unwrap();
        let arguments = world.charge_arguments(&id, START, CAP, b"pay_1");
        only_by(&world, &[&world.operator], "charge", &arguments, &[]);
        assert_eq!(world.paid(), CAP);
    });
}

#[test]
fn a_batch_needs_the_signature_of_the_operator_it_names() {
    both(|world| {
        let id = world.create(&world.terms()).unwrap();
        let charge = quittance_mandate::types::Charge {
            amount: CAP,
            mandate: id,
            period_start: START,
            reference: world.bytes(b"p"),
        };
        let charges = soroban_sdk::vec![&world.env, charge];
        let arguments = (world.operator.clone(), charges.clone()).into_val(&world.env);
        only_by(&world, &[&world.operator], "charge_many", &arguments, &[]);
        assert_eq!(world.paid(), CAP);
        let own: Vec<Val> = (world.payee.clone(), charges).into_val(&world.env);
        world.only_signed(&[(&world.payee, "charge_many", own.clone(), &[])]);
        let results = Vec::<u32>::try_from_val(&world.env, &world.call("charge_many", own).unwrap()).unwrap();
        assert_eq!(results, soroban_sdk::vec![&world.env, 110]);
    });
}

#[test]
fn renewing_needs_the_customer_s_signature_with_the_approval_inside() {
    both(|world| {
        let id = world.create(&world.terms()).unwrap();
        let expiry = world.terms().expiry;
        let arguments = (id, 200_000_i128, expiry).into_val(&world.env);
        world.only_signed(&[(&world.customer, "renew_allowance", Vec::clone(&arguments), &[])]);
        assert_eq!(world.call("renew_allowance", arguments.clone()).map(drop), Err(Refusal::Number(118)));
        let args = approve_arguments(&world, 200_000, expiry);
        let approve = MockAuthInvoke { contract: &world.token, fn_name: "approve", args, sub_invokes: &[] };
        only_by(&world, &[&world.customer], "renew_allowance", &arguments, &[approve]);
        assert_eq!(world.allowance(), 200_000);
    });
}

#[test]
fn cancelling_needs_the_signature_of_the_one_named() {
    both(|world| {
        let id = world.create(&world.terms()).unwrap();
        for by in [&world.operator, &world.customer] {
            let arguments = (id.clone(), by.clone()).into_val(&world.env);
            only_by(&world, &[by], "cancel", &arguments, &[]);
        }
    });
}

#[test]
fn reading_needs_no_signature() {
    both(|world| {
        let id = world.create(&world.terms()).unwrap();
        world.env.set_auths(&[]);
        assert!(world.get(&id).is_ok());
    });
}

#[test]
fn nothing_else_can_be_called() {
    both(|world| {
        for name in ["upgrade", "set_admin", "__constructor", "transfer_from", "init", "save", "collect"] {
            assert!(matches!(world.call(name, Vec::new(&world.env)), Err(Refusal::Other(_))), "{name}");
        }
    });
}

fn scvals(env: &Env, values: &Vec<Val>) -> soroban_sdk::xdr::VecM<ScVal> {
    let values: std::vec::Vec<ScVal> = values.iter().map(|value| ScVal::try_from_val(env, &value).unwrap()).collect();
    values.try_into().unwrap()
}

fn invocation(
    world: &World,
    contract: &Address,
    name: &str,
    arguments: &Vec<Val>,
    inside: std::vec::Vec<SorobanAuthorizedInvocation>,
) -> SorobanAuthorizedInvocation {
    SorobanAuthorizedInvocation {
        function: SorobanAuthorizedFunction::ContractFn(InvokeContractArgs {
            contract_address: contract.try_into().unwrap(),
            function_name: name.try_into().unwrap(),
            args: scvals(&world.env, arguments),
        }),
        sub_invocations: inside.try_into().unwrap(),
    }
}

#[test]
fn an_account_that_is_the_transaction_s_source_enrols_with_one_authorisation_and_no_further_signature() {
    both(|world| {
        let key = PublicKey::PublicKeyTypeEd25519(Uint256([5; 32]));
        let account = Address::try_from_val(
            &world.env,
            &ScVal::Address(soroban_sdk::xdr::ScAddress::Account(AccountId(key.clone()))),
        )
        .unwrap();
        let terms = Terms { customer: account.clone(), ..world.terms() };
        let approve = (account, world.mandate.clone(), terms.allowance, terms.expiry).into_val(&world.env);
        let inside = invocation(&world, &world.token, "approve", &approve, vec![]);
        let root = invocation(&world, &world.mandate, "create", &world.create_arguments(&terms), vec![inside]);
        let entry = SorobanAuthorizationEntry { credentials: SorobanCredentials::SourceAccount, root_invocation: root };
        world.env.host().set_source_account(AccountId(PublicKey::PublicKeyTypeEd25519(Uint256([6; 32])))).unwrap();
        world.env.set_auths(&[entry.clone()]);
        unsigned(world.create(&terms));
        world.env.host().set_source_account(AccountId(key)).unwrap();
        world.env.set_auths(&[entry]);
        let id = world.create(&terms).unwrap();
        assert_eq!(world.get(&id).unwrap().customer, terms.customer);
        assert_eq!(world.token().allowance(&terms.customer, &world.mandate), terms.allowance);
        assert!(terms.expiry > SEQUENCE);
    });
}

/// Address credentials of a contract for `create` with an inner `approve`, which its `__check_auth` decides.
pub fn signed_by_contract(world: &World, terms: &Terms) -> SorobanAuthorizationEntry {
    let approve = (terms.customer.clone(), world.mandate.clone(), terms.allowance, terms.expiry).into_val(&world.env);
    let inside = invocation(world, &terms.token, "approve", &approve, vec![]);
    let root = invocation(world, &world.mandate, "create", &world.create_arguments(terms), vec![inside]);
    let credentials = SorobanCredentials::Address(SorobanAddressCredentials {
        address: (&terms.customer).try_into().unwrap(),
        nonce: 1,
        signature_expiration_ledger: SEQUENCE + 100,
        signature: ScVal::Void,
    });
    SorobanAuthorizationEntry { credentials, root_invocation: root }
}
