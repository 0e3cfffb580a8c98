//! A ledger with a real token contract, a customer who holds 1,000,000, a payee, an operator, and the mandate contract.

use crate::vectors;
use quittance_mandate::MandateContract;
use quittance_mandate::types::Mandate;
use serde_json::Value;
use soroban_sdk::testutils::{
    Address as _, EnvTestConfig, Events as _, IssuerFlags, Ledger as _, MockAuth, MockAuthInvoke,
};
use soroban_sdk::token::{StellarAssetClient, TokenClient};
use soroban_sdk::xdr::{ContractEvent, ContractEventBody, ScErrorType, ScVal};
use soroban_sdk::{Address, Bytes, BytesN, Env, IntoVal, Symbol, TryFromVal, TryIntoVal, Val, Vec};
use std::cell::RefCell;

pub const WASM: &[u8] = include_bytes!("../../quittance_mandate.wasm");
/// 2026-01-31T12:00:00Z.
pub const START: u64 = 1_769_860_800;
pub const SEQUENCE: u32 = 1_000_000;
pub const CAP: i128 = 1_100;
pub const DAY: u64 = 86_400;
pub const MAX_TTL: u32 = 3_110_400;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Code {
    Source,
    CommittedBytes,
}

/// A contract's error number, or the text of any other failure.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Refusal {
    Number(u32),
    Other(String),
}

pub struct World {
    pub env: Env,
    pub mandate: Address,
    pub token: Address,
    pub customer: Address,
    pub payee: Address,
    pub operator: Address,
    recorder: RefCell<Option<std::vec::Vec<Value>>>,
}

/// The arguments of `create`. `world.terms()` is accepted unchanged.
#[derive(Clone)]
pub struct Terms {
    pub customer: Address,
    pub payee: Address,
    pub operator: Address,
    pub token: Address,
    pub cap: i128,
    pub unit: u32,
    pub count: u32,
    pub first_charge_at: u64,
    pub ends_at: Option<u64>,
    pub first_amount: i128,
    pub allowance: i128,
    pub expiry: u32,
    pub reference: std::vec::Vec<u8>,
    pub replaces: Option<BytesN<32>>,
}

/// Runs a test against the Rust source and against the committed bytes.
pub fn both(test: impl Fn(World)) {
    test(World::new(Code::Source));
    test(World::new(Code::CommittedBytes));
}

impl World {
    pub fn new(code: Code) -> World {
        let env = Env::new_with_config(EnvTestConfig { capture_snapshot_at_drop: false });
        env.ledger().with_mut(|ledger| {
            ledger.timestamp = START;
            ledger.sequence_number = SEQUENCE;
            ledger.min_persistent_entry_ttl = 120_960;
            ledger.min_temp_entry_ttl = 720;
            ledger.max_entry_ttl = MAX_TTL;
        });
        env.mock_all_auths();
        let mandate = match code {
            Code::Source => env.register(MandateContract, ()),
            Code::CommittedBytes => env.register(WASM, ()),
        };
        let asset = env.register_stellar_asset_contract_v2(Address::generate(&env));
        asset.issuer().set_flag(IssuerFlags::RevocableFlag);
        let customer = Address::generate(&env);
        StellarAssetClient::new(&env, &asset.address()).mint(&customer, &1_000_000);
        World {
            mandate,
            token: asset.address(),
            customer,
            payee: Address::generate(&env),
            operator: Address::generate(&env),
            recorder: RefCell::new(None),
            env,
        }
    }

    pub fn terms(&self) -> Terms {
        Terms {
            customer: self.customer.clone(),
            payee: self.payee.clone(),
            operator: self.operator.clone(),
            token: self.token.clone(),
            cap: CAP,
            unit: 3,
            count: 1,
            first_charge_at: START,
            ends_at: None,
            first_amount: 0,
            allowance: 100_000,
            expiry: SEQUENCE + MAX_TTL - 1,
            reference: b"cs_1".to_vec(),
            replaces: None,
        }
    }

    pub fn bytes(&self, text: &[u8]) -> Bytes {
        Bytes::from_slice(&self.env, text)
    }

    /// Records calls of the mandate contract as vectors from here on.
    pub fn record(&self) {
        *self.recorder.borrow_mut() = Some(vec![]);
    }

    pub fn recorded(&self) -> std::vec::Vec<Value> {
        self.recorder.borrow().clone().expect("a recording")
    }

    /// A change of the ledger outside the contract, recorded as changes only.
    pub fn outside(&self, act: impl FnOnce()) {
        let step = vectors::outside(self, act);
        self.recorder.borrow_mut().as_mut().expect("a recording").push(step);
    }

    pub fn call(&self, function: &str, arguments: Vec<Val>) -> Result<Val, Refusal> {
        if self.recorder.borrow().is_none() {
            return self.invoke(function, arguments);
        }
        let (outcome, step) = vectors::step(self, function, &arguments, || self.invoke(function, arguments.clone()));
        self.recorder.borrow_mut().as_mut().expect("a recording").push(step);
        outcome
    }

    fn invoke(&self, function: &str, arguments: Vec<Val>) -> Result<Val, Refusal> {
        let name = Symbol::new(&self.env, function);
        match self.env.try_invoke_contract::<Val, soroban_sdk::Error>(&self.mandate, &name, arguments) {
            Ok(value) => Ok(value.expect("a value")),
            Err(Ok(error)) if error.is_type(ScErrorType::Contract) => Err(Refusal::Number(error.get_code())),
            Err(other) => Err(Refusal::Other(format!("{other:?}"))),
        }
    }

    pub fn create_arguments(&self, terms: &Terms) -> Vec<Val> {
        let env = &self.env;
        soroban_sdk::vec![
            env,
            terms.customer.to_val(),
            terms.payee.to_val(),
            terms.operator.to_val(),
            terms.token.to_val(),
            terms.cap.into_val(env),
            terms.unit.into_val(env),
            terms.count.into_val(env),
            terms.first_charge_at.into_val(env),
            terms.ends_at.into_val(env),
            terms.first_amount.into_val(env),
            terms.allowance.into_val(env),
            terms.expiry.into_val(env),
            self.bytes(&terms.reference).to_val(),
            terms.replaces.into_val(env),
        ]
    }

    pub fn create(&self, terms: &Terms) -> Result<BytesN<32>, Refusal> {
        self.call("create", self.create_arguments(terms)).map(|id| id.try_into_val(&self.env).expect("an id"))
    }

    pub fn charge_arguments(&self, id: &BytesN<32>, start: u64, amount: i128, reference: &[u8]) -> Vec<Val> {
        (id.clone(), start, amount, self.bytes(reference)).into_val(&self.env)
    }

    pub fn charge(&self, id: &BytesN<32>, start: u64, amount: i128, reference: &[u8]) -> Result<(), Refusal> {
        self.call("charge", self.charge_arguments(id, start, amount, reference)).map(|_| ())
    }

    pub fn charge_many(&self, items: &[(&BytesN<32>, u64, i128, &[u8])]) -> Result<std::vec::Vec<u32>, Refusal> {
        let mut charges = soroban_sdk::vec![&self.env];
        for (id, period_start, amount, reference) in items {
            let mandate = (*id).clone();
            let reference = self.bytes(reference);
            charges.push_back(quittance_mandate::types::Charge {
                amount: *amount,
                mandate,
                period_start: *period_start,
                reference,
            });
        }
        let results = self.call("charge_many", (self.operator.clone(), charges).into_val(&self.env))?;
        let results: Vec<u32> = results.try_into_val(&self.env).expect("numbers");
        Ok(results.iter().collect())
    }

    pub fn renew(&self, id: &BytesN<32>, allowance: i128, expiry: u32) -> Result<(), Refusal> {
        self.call("renew_allowance", (id.clone(), allowance, expiry).into_val(&self.env)).map(|_| ())
    }

    pub fn cancel(&self, id: &BytesN<32>, by: &Address) -> Result<(), Refusal> {
        self.call("cancel", (id.clone(), by.clone()).into_val(&self.env)).map(|_| ())
    }

    pub fn get(&self, id: &BytesN<32>) -> Result<Mandate, Refusal> {
        let record = self.call("get", (id.clone(),).into_val(&self.env))?;
        Ok(Mandate::try_from_val(&self.env, &record).expect("a mandate"))
    }

    pub fn token(&self) -> TokenClient<'_> {
        TokenClient::new(&self.env, &self.token)
    }

    pub fn paid(&self) -> i128 {
        self.token().balance(&self.payee)
    }

    pub fn allowance(&self) -> i128 {
        self.token().allowance(&self.customer, &self.mandate)
    }

    /// Moves the ledger to a time, at 5 s a ledger.
    pub fn at(&self, timestamp: u64) {
        self.env.ledger().with_mut(|ledger| {
            ledger.sequence_number += u32::try_from(timestamp.saturating_sub(ledger.timestamp) / 5).expect("ledgers");
            ledger.timestamp = timestamp;
        });
    }

    /// Our events of the last call: the name, the other topics, and the data.
    pub fn events(&self) -> std::vec::Vec<(std::vec::Vec<ScVal>, ScVal)> {
        let all = self.env.events().all().filter_by_contract(&self.mandate);
        let parts = |event: &ContractEvent| match &event.body {
            ContractEventBody::V0(body) => (body.topics.to_vec(), body.data.clone()),
        };
        all.events().iter().map(parts).collect()
    }

    /// Only these signatures exist from here on: signer, call of the mandate contract, inner calls.
    pub fn only_signed(&self, signatures: &[(&Address, &str, Vec<Val>, &[MockAuthInvoke])]) {
        let invokes: std::vec::Vec<MockAuthInvoke> = signatures
            .iter()
            .map(|(_, fn_name, args, sub_invokes)| MockAuthInvoke {
                contract: &self.mandate,
                fn_name,
                args: args.clone(),
                sub_invokes,
            })
            .collect();
        let auths: std::vec::Vec<MockAuth> =
            signatures.iter().zip(&invokes).map(|((address, ..), invoke)| MockAuth { address, invoke }).collect();
        self.env.mock_auths(&auths);
    }
}
