import type { BillingFailure } from '@quittance/billing'
import { busy, gone, type Problems } from './problem.ts'

type CannotCollect = Extract<BillingFailure, { readonly _tag: 'CannotCollect' }>

const cannotCollect: Readonly<Record<CannotCollect['because'], (environment: string) => string>> = {
  contract_missing: (environment) =>
    `The mandate contract is not on the ledger of ${environment}. The operator of the service deploys it: quittance contract deploy`,
  contract_former: (environment) =>
    `The mandate contract of ${environment} is of a former version. The operator of the service deploys today's, which new mandates need: quittance contract deploy`,
  operator_missing: (environment) =>
    `The operator account is not on the ledger of ${environment}. The operator of the service funds it: quittance operator create shows its address`,
  token_missing: (environment) =>
    `The asset has no contract on the ledger of ${environment}, by which subscriptions are collected. Anyone can make it (createStellarAssetContract); or sell in another asset`,
}

export const productProblems = {
  ProductNotFound: (_, { product }) => gone('product', product),
  ProductAlreadyExists: () => busy,
  ProductArchived: (_, { product }) => [409, 'product_archived', 'The product is archived', product],
  CannotCollect: ({ environment, because }, { product }) => [
    409,
    'subscriptions_not_available',
    cannotCollect[because](environment),
    product,
  ],
  MandatesNotConfigured: (_, { product }) => [
    409,
    'subscriptions_not_available',
    'Subscriptions cannot be sold in this environment: it has no mandate contract, or no operator account',
    product,
  ],
  RecurringPeriodMissing: () => [400, 'recurring_period_missing', 'A subscription needs a period', 'recurring_period'],
  RecurringPeriodNotAllowed: () => [
    400,
    'recurring_period_not_allowed',
    'Only a subscription has a period',
    'recurring_period',
  ],
  TrialNotAllowed: (_, { trial }) => [400, 'trial_not_allowed', 'Only a subscription has a trial', trial],
  TrialTooLong: ({ maximumDays }, { trial }) => [400, 'trial_too_long', `At most ${maximumDays} days`, trial],
  CurrencyIsFixed: ({ currency }) => [
    400,
    'invalid_request',
    `The product is priced in ${currency}: make another one for another currency`,
    'currency_code',
  ],
  PriceNotPositive: (_, { amount }) => [400, 'amount_not_positive', 'The price must be above zero', amount],
} satisfies Partial<Problems>
