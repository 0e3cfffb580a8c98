import { exampleAccount, exampleTransaction, type Section } from './words.ts'

export const merchant: Section = {
  tag: 'Merchant',
  description: 'Who the merchant is, as customers see it in one environment.',
  operations: {
    'PUT /merchant': {
      name: 'updateMerchant',
      description: 'What you leave out stays; null takes it away.',
      examples: {
        company: {
          legal_name: 'Aurora Coffee GmbH',
          address: 'Hafenweg 1\n20457 Hamburg',
          support_contact: 'help@aurora.example',
          terms: { url: 'https://aurora.example/terms', version: '2026-11' },
        },
      },
    },
    'GET /merchant/history': { name: 'listMerchantHistory', description: 'Tells also of freezes and limits.' },
    'GET /merchant': { name: 'getMerchant', description: 'Also shows the fees of the operator.' },
  },
}

export const settlement: Section = {
  tag: 'Settlement',
  description: 'The account that receives the payments of the merchant, and the assets that it accepts.',
  operations: {
    'PUT /settlement': {
      name: 'updateSettlement',
      description: 'What you leave out stays. Open checkouts keep the asset that they have.',
      examples: { lumensOnly: { assets: ['native'], default_asset_id: 'native' } },
    },
    'POST /settlement/account': {
      name: 'requestSettlementProof',
      description: 'Answers a challenge that the owner of the account signs, and never sends to the network.',
      examples: { own: { address: exampleAccount } },
    },
    'POST /settlement/account/verify': {
      name: 'verifySettlementAccount',
      description: 'Takes the challenge with the signature of the owner, who signs refunds from then on.',
      examples: { signed: { transaction: exampleTransaction } },
    },
    'GET /settlement/signatures': {
      name: 'listSignatureRequests',
      description: 'Refunds and returns that the merchant pays from an account of its own.',
    },
    'GET /settlement': {
      name: 'getSettlement',
      description: '`problems` says what keeps it from being paid, and `next_step` what to do first.',
    },
  },
}

export const reports: Section = {
  tag: 'Reports',
  description: 'The books of the merchant, for accountants, and evidence for auditors.',
  operations: {
    'GET /reports/journal': {
      name: 'listJournal',
      description:
        'Each entry books one event, and balances in each asset and currency. Ask on with `next` until it is null: a page reads a bounded part of the log, and may be empty.',
    },
    'GET /reports/subscriptions': { name: 'listAllSubscriptions', description: 'For an overview; the newest first.' },
    'GET /reports/summary': {
      name: 'getSummary',
      description:
        'Counts at most 10,000 records of each kind, the newest. `monthly_recurring` counts 365 days, or 52 weeks, to a year.',
    },
    'GET /evidence': {
      name: 'getEvidence',
      description:
        'Name one of the three. The file holds the events concerned, with their proofs under a signed checkpoint, and nothing of any other customer. Anybody verifies it offline, by the key of the log.',
    },
  },
}

export const catalogue: Section = {
  tag: 'Catalogue',
  description: 'The assets and currencies that prices and payments can be in.',
  operations: {
    'GET /assets': { name: 'listAssets', description: 'Of the environment of the key.' },
    'GET /currencies': { name: 'listCurrencies', description: 'Their codes by ISO 4217.' },
  },
}
