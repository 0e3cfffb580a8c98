//! Lets an operator collect at most one capped amount per calendar interval from a customer who signed once.
//! Immutable: no admin, no upgrade, no key that can change a mandate but its customer's and, to end it, its operator's.
#![no_std]

pub mod calendar;
pub mod types;

use soroban_sdk::token::TokenClient;
use soroban_sdk::xdr::{ScErrorType, ToXdr};
use soroban_sdk::{Address, Bytes, BytesN, Env, InvokeError, Vec, contract, contractimpl, panic_with_error, vec};

use types::{AllowanceRenewed, Charge, Charged, Error, IntervalUnit, Key, Mandate, MandateCancelled, MandateCreated};

const MAX_REFERENCE: u32 = 32;
const MAX_COUNT: u32 = 366;
/// The end of the year 9999. Keeps calendar sums far from overflow.
const MAX_TIME: u64 = 253_402_300_799;
const DAY: u64 = 86_400;
/// About 30 and 60 days: what is used every month stays live, the rest is archived and restored on its next use.
const EXTEND_BELOW: u32 = 518_400;
const EXTEND_TO: u32 = 1_036_800;

#[contract]
pub struct MandateContract;

// Comments inside, and on what is stored, have two slashes: three would be written into the wasm.
#[contractimpl]
impl MandateContract {
    // Records a mandate and approves its allowance, on the customer's signature; charges `first_amount` unless 0.
    // That counts as the charge of the period beginning now. Answers the mandate's id: see `id`.
    // Ends `replaces` in the same call. Where that has another customer, its operator has to sign this call too.
    #[allow(clippy::too_many_arguments)]
    pub fn create(
        env: Env,
        customer: Address,
        payee: Address,
        operator: Address,
        token: Address,
        cap: i128,
        interval_unit: IntervalUnit,
        interval_count: u32,
        first_charge_at: u64,
        ends_at: Option<u64>,
        first_amount: i128,
        allowance: i128,
        allowance_expiry_ledger: u32,
        reference: Bytes,
        replaces: Option<BytesN<32>>,
    ) -> Result<BytesN<32>, Error> {
        customer.require_auth();
        let now = env.ledger().timestamp();
        let this = env.current_contract_address();
        require(is_reference(&reference), Error::BadReference)?;
        require(payee != customer && payee != this, Error::BadPayee)?;
        require((1..=MAX_COUNT).contains(&interval_count), Error::BadInterval)?;
        require(first_charge_at <= MAX_TIME, Error::BadTime)?;
        require(ends_at.is_none_or(|end| end > first_charge_at && end > now), Error::BadTime)?;
        require(cap > 0 && first_amount >= 0, Error::BadAmount)?;
        require(first_amount <= cap, Error::AboveCap)?;

        let id = id(&env, &this, &customer, &payee, &operator, &reference);
        require(!env.storage().persistent().has(&Key::Mandate(id.clone())), Error::ReferenceTaken)?;
        let last_charged_at = match &replaces {
            Some(old) => load(&env, old)?.last_charged_at,
            None => 0,
        };
        approve(&env, &customer, &token, cap, allowance, allowance_expiry_ledger)?;
        let terms = Mandate {
            cancelled: false,
            cap,
            customer: customer.clone(),
            ends_at,
            first_charge_at,
            interval_count,
            interval_unit,
            last_charged_at,
            last_period_start: None,
            last_reference: Bytes::new(&env),
            operator,
            payee: payee.clone(),
            reference: reference.clone(),
            token,
        };
        let event = MandateCreated {
            mandate: id.clone(),
            customer,
            payee,
            allowance,
            allowance_expiry_ledger,
            first_amount,
            terms: terms.clone(),
        };
        event.publish(&env);
        if let Some(old) = replaces {
            replace(&env, old, &terms.customer)?;
        }
        if first_amount == 0 {
            save(&env, &id, &terms);
        } else {
            let first = Charge { amount: first_amount, mandate: id.clone(), period_start: now, reference };
            collect(&env, terms, first).unwrap_or_else(|number| refuse(&env, number));
        }
        Ok(id)
    }

    // Collects `amount` for the period that began at `period_start`, on the operator's signature.
    // The same period and reference again are `AlreadyCharged`: an earlier sending has landed.
    pub fn charge(
        env: Env,
        mandate: BytesN<32>,
        period_start: u64,
        amount: i128,
        reference: Bytes,
    ) -> Result<(), Error> {
        let record = load(&env, &mandate)?;
        record.operator.require_auth();
        let charge = Charge { amount, mandate, period_start, reference };
        check(&env, &record, &charge)?;
        collect(&env, record, charge).unwrap_or_else(|number| refuse(&env, number));
        Ok(())
    }

    // `charge` for each item. Answers one number per item, 0 for charged, else why not; none stops the others.
    pub fn charge_many(env: Env, operator: Address, charges: Vec<Charge>) -> Vec<u32> {
        operator.require_auth();
        let mut results = vec![&env];
        for charge in charges {
            let outcome = load(&env, &charge.mandate).and_then(|record| {
                require(record.operator == operator, Error::NotAllowed)?;
                check(&env, &record, &charge)?;
                Ok(record)
            });
            results.push_back(match outcome {
                Ok(record) => collect(&env, record, charge).err().unwrap_or(0),
                Err(error) => error as u32,
            });
        }
        results
    }

    // Approves a further allowance for the customer and token of a mandate, on the customer's signature.
    pub fn renew_allowance(
        env: Env,
        mandate: BytesN<32>,
        allowance: i128,
        allowance_expiry_ledger: u32,
    ) -> Result<(), Error> {
        let record = load(&env, &mandate)?;
        record.customer.require_auth();
        require(!record.cancelled, Error::Cancelled)?;
        approve(&env, &record.customer, &record.token, 0, allowance, allowance_expiry_ledger)?;
        extend(&env, &mandate);
        AllowanceRenewed {
            mandate,
            customer: record.customer,
            payee: record.payee,
            allowance,
            allowance_expiry_ledger,
        }
        .publish(&env);
        Ok(())
    }

    // Ends a mandate for good, on the signature of its customer or operator. Again: nothing new.
    pub fn cancel(env: Env, mandate: BytesN<32>, by: Address) -> Result<(), Error> {
        by.require_auth();
        let record = load(&env, &mandate)?;
        require(by == record.customer || by == record.operator, Error::NotAllowed)?;
        end(&env, mandate, record, by);
        Ok(())
    }

    pub fn get(env: Env, mandate: BytesN<32>) -> Result<Mandate, Error> {
        load(&env, &mandate)
    }
}

/// SHA-256 of the XDR of (this contract, customer, payee, operator, reference): known before signing, nobody else can
/// take it, and no other instance of this contract gives it.
fn id(
    env: &Env,
    this: &Address,
    customer: &Address,
    payee: &Address,
    operator: &Address,
    reference: &Bytes,
) -> BytesN<32> {
    let parts = (this.clone(), customer.clone(), payee.clone(), operator.clone(), reference.clone());
    env.crypto().sha256(&parts.to_xdr(env)).to_bytes()
}

/// What the mandate allows now, apart from what the token will say.
fn check(env: &Env, mandate: &Mandate, charge: &Charge) -> Result<(), Error> {
    let (unit, count) = (mandate.interval_unit, mandate.interval_count);
    let (start, now) = (charge.period_start, env.ledger().timestamp());
    if mandate.last_period_start == Some(start) {
        let same = mandate.last_reference == charge.reference;
        return Err(if same { Error::AlreadyCharged } else { Error::PeriodTaken });
    }
    require(is_reference(&charge.reference), Error::BadReference)?;
    require(!mandate.cancelled, Error::Cancelled)?;
    require(mandate.ends_at.is_none_or(|end| now < end), Error::Ended)?;
    require(charge.amount > 0, Error::BadAmount)?;
    require(charge.amount <= mandate.cap, Error::AboveCap)?;
    require(start >= mandate.first_charge_at, Error::TooSoon)?;
    let spaced = |last| start >= calendar::next(last, unit, count);
    require(mandate.last_period_start.is_none_or(spaced), Error::TooSoon)?;
    require(start <= now, Error::PeriodNotBegun)?;
    let end = calendar::end(start, unit, count);
    require(now < end, Error::PeriodOver)?;
    // At most half a period, so the wait after a charge in a period's last second leaves the next one half of its own.
    let rest = ((end - start) / 2).min(DAY);
    require(now >= mandate.last_charged_at + rest, Error::TooClose)
}

/// Moves the money, then records and announces it. Else answers the token's own number, or `TokenFailed`.
fn collect(env: &Env, mut mandate: Mandate, charge: Charge) -> Result<(), u32> {
    let Charge { amount, mandate: id, period_start, reference } = charge;
    TokenClient::new(env, &mandate.token)
        .try_transfer_from(&env.current_contract_address(), &mandate.customer, &mandate.payee, &amount)
        .map_err(token_refusal)?
        .ok(); // What a token answers besides says nothing of the money, which has moved.
    mandate.last_charged_at = env.ledger().timestamp();
    mandate.last_period_start = Some(period_start);
    mandate.last_reference = reference.clone();
    save(env, &id, &mandate);
    let Mandate { customer, payee, token, .. } = mandate;
    Charged { mandate: id, customer, payee, amount, period_start, reference, token }.publish(env);
    Ok(())
}

/// No token can say 0, which means charged, or one of our own numbers.
fn token_refusal(refusal: Result<soroban_sdk::Error, InvokeError>) -> u32 {
    match refusal {
        Ok(error) if error.is_type(ScErrorType::Contract) && (1..100).contains(&error.get_code()) => error.get_code(),
        _ => Error::TokenFailed as u32,
    }
}

/// The token's `approve` overwrites amount and expiry, which other mandates of this customer rely on: neither is lowered.
/// A remembered expiry beyond the network's maximum, which validators may lower, binds nobody.
fn approve(
    env: &Env,
    customer: &Address,
    token: &Address,
    cap: i128,
    allowance: i128,
    expiry: u32,
) -> Result<(), Error> {
    let this = env.current_contract_address();
    let (now, latest) = (env.ledger().sequence(), env.ledger().max_live_until_ledger());
    let token_client = TokenClient::new(env, token);
    let current = match token_client.try_allowance(customer, &this) {
        Ok(Ok(amount)) => amount,
        Ok(Err(_)) => return Err(Error::TokenFailed),
        Err(refusal) => refuse(env, token_refusal(refusal)),
    };
    require(allowance >= current.saturating_add(cap), Error::AllowanceTooLow)?;
    require(expiry <= latest, Error::ExpiryTooLate)?;
    let storage = env.storage().temporary();
    let key = Key::Expiry(customer.clone(), token.clone());
    let last = storage.get(&key).unwrap_or(0);
    require(expiry >= now && (expiry >= last || last > latest), Error::ExpiryTooEarly)?;
    if let Err(refusal) = token_client.try_approve(customer, &this, &allowance, &expiry) {
        refuse(env, token_refusal(refusal));
    }
    storage.set(&key, &expiry);
    storage.extend_ttl(&key, expiry - now, expiry - now);
    Ok(())
}

/// Ends a mandate for one that `customer` has just signed. They may be its party; else its operator signs that call too.
fn replace(env: &Env, id: BytesN<32>, customer: &Address) -> Result<(), Error> {
    let record = load(env, &id)?;
    let by = if record.customer == *customer { &record.customer } else { &record.operator }.clone();
    if by != *customer {
        by.require_auth();
    }
    end(env, id, record, by);
    Ok(())
}

/// Cancels a mandate, unless it is cancelled already.
fn end(env: &Env, id: BytesN<32>, mut mandate: Mandate, by: Address) {
    if mandate.cancelled {
        return;
    }
    mandate.cancelled = true;
    save(env, &id, &mandate);
    MandateCancelled { mandate: id, customer: mandate.customer, payee: mandate.payee, by }.publish(env);
}

fn load(env: &Env, id: &BytesN<32>) -> Result<Mandate, Error> {
    env.storage().persistent().get(&Key::Mandate(id.clone())).ok_or(Error::MandateNotFound)
}

fn save(env: &Env, id: &BytesN<32>, mandate: &Mandate) {
    env.storage().persistent().set(&Key::Mandate(id.clone()), mandate);
    extend(env, id);
}

/// The code's own rent is a hundred times a mandate's: whoever operates the contract extends it, not whoever uses it.
fn extend(env: &Env, id: &BytesN<32>) {
    env.storage().persistent().extend_ttl(&Key::Mandate(id.clone()), EXTEND_BELOW, EXTEND_TO);
    env.deployer().extend_ttl_for_contract_instance(env.current_contract_address(), EXTEND_BELOW, EXTEND_TO);
}

fn is_reference(reference: &Bytes) -> bool {
    (1..=MAX_REFERENCE).contains(&reference.len())
}

fn require(holds: bool, error: Error) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(error) }
}

fn refuse(env: &Env, number: u32) -> ! {
    panic_with_error!(env, soroban_sdk::Error::from_contract_error(number))
}
