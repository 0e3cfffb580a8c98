//! What is stored, what is refused and what is announced.

use soroban_sdk::{Address, Bytes, BytesN, contracterror, contractevent, contracttype};

#[contracttype]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u32)]
pub enum IntervalUnit {
    Day = 1,
    Week = 2,
    Month = 3,
    Year = 4,
}

// Amounts are in the token's smallest unit, times in Unix seconds.
#[contracttype]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mandate {
    pub cancelled: bool,
    pub cap: i128,
    pub customer: Address,
    pub ends_at: Option<u64>,
    pub first_charge_at: u64,
    pub interval_count: u32,
    pub interval_unit: IntervalUnit,
    // The close time of the ledger of the last charge, of the replaced mandate too; 0 before the first one.
    pub last_charged_at: u64,
    pub last_period_start: Option<u64>,
    // Empty before the first charge.
    pub last_reference: Bytes,
    pub operator: Address,
    pub payee: Address,
    pub reference: Bytes,
    pub token: Address,
}

// One item of `charge_many`.
#[contracttype]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Charge {
    pub amount: i128,
    pub mandate: BytesN<32>,
    pub period_start: u64,
    pub reference: Bytes,
}

#[contracttype]
pub enum Key {
    Mandate(BytesN<32>),
    // The last expiry ledger that was approved through this contract: customer, token. It lives as long.
    Expiry(Address, Address),
}

// From 100, since a token's own numbers, 1 to 15, are passed on as they are.
#[contracterror]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u32)]
pub enum Error {
    MandateNotFound = 100,
    ReferenceTaken = 101,
    BadReference = 102,
    BadPayee = 103,
    BadInterval = 104,
    BadTime = 105,
    BadAmount = 106,
    AboveCap = 107,
    AllowanceTooLow = 108,
    ExpiryTooEarly = 109,
    NotAllowed = 110,
    Cancelled = 111,
    Ended = 112,
    AlreadyCharged = 113,
    PeriodTaken = 114,
    TooSoon = 115,
    PeriodNotBegun = 116,
    PeriodOver = 117,
    TokenFailed = 118,
    ExpiryTooLate = 119,
    TooClose = 120,
}

#[contractevent]
pub struct MandateCreated {
    #[topic]
    pub mandate: BytesN<32>,
    #[topic]
    pub customer: Address,
    #[topic]
    pub payee: Address,
    pub allowance: i128,
    pub allowance_expiry_ledger: u32,
    pub first_amount: i128,
    // As recorded, before the first charge.
    pub terms: Mandate,
}

#[contractevent]
pub struct Charged {
    #[topic]
    pub mandate: BytesN<32>,
    #[topic]
    pub customer: Address,
    #[topic]
    pub payee: Address,
    pub amount: i128,
    pub period_start: u64,
    pub reference: Bytes,
    pub token: Address,
}

#[contractevent]
pub struct AllowanceRenewed {
    #[topic]
    pub mandate: BytesN<32>,
    #[topic]
    pub customer: Address,
    #[topic]
    pub payee: Address,
    pub allowance: i128,
    pub allowance_expiry_ledger: u32,
}

#[contractevent]
pub struct MandateCancelled {
    #[topic]
    pub mandate: BytesN<32>,
    #[topic]
    pub customer: Address,
    #[topic]
    pub payee: Address,
    pub by: Address,
}
