import {
  type AccountId,
  type AssetId,
  assetCode,
  decimalFromStroops,
  type Environment,
  type Stroops,
} from '@quittance/domain'

/** A reason why a merchant cannot be paid, in the order in which to solve them. `missing` is XLM in stroops. */
export type SettlementProblem =
  | { readonly code: 'no_settlement_account' }
  | { readonly code: 'no_asset_accepted' }
  | { readonly code: 'account_missing'; readonly account: AccountId; readonly missing: Stroops }
  | { readonly code: 'account_pending'; readonly account: AccountId }
  | { readonly code: 'account_underfunded'; readonly account: AccountId; readonly missing: Stroops }
  | { readonly code: 'trustline_missing'; readonly assetId: AssetId }
  | { readonly code: 'trustline_pending'; readonly assetId: AssetId }
  | { readonly code: 'trustline_not_authorized'; readonly assetId: AssetId }
  | { readonly code: 'trustline_full'; readonly assetId: AssetId }

/** The codes of all problems of settlement. */
export type SettlementProblemCode = SettlementProblem['code']

/** The owner of a settlement account, and the party that signs for it. */
export type SettlementOwner = {
  readonly merchantId: string
  readonly environment: Environment
  readonly custody: 'service' | 'merchant'
}

/** A problem and its remedy for people, one sentence each. */
export type ProblemInWords = { readonly message: string; readonly remedy: string }

/** Says what is wrong with a settlement account, and what to do. */
export const problemInWords = (
  { merchantId, environment, custody }: SettlementOwner,
  problem: SettlementProblem,
): ProblemInWords => {
  const merchant = `--merchant ${merchantId} --environment ${environment}`
  switch (problem.code) {
    case 'no_settlement_account':
      return {
        message: `The merchant has no settlement account on ${environment}.`,
        remedy: `Give the merchant one: quittance merchant setup ${merchant}`,
      }
    case 'no_asset_accepted':
      return {
        message: `The merchant accepts no asset on ${environment}.`,
        remedy: `Choose the accepted assets with PUT /settlement, or: quittance merchant assets ${merchant}`,
      }
    case 'account_missing':
      return {
        message: `The settlement account ${problem.account} does not exist on the ledger.`,
        remedy: fund(problem),
      }
    case 'account_pending':
      return {
        message: `The settlement account ${problem.account} is being created by the operator's account.`,
        remedy: 'Wait until the ledger shows it; if that takes minutes, look at /ready for what the operator lacks.',
      }
    case 'account_underfunded':
      return {
        message: `The settlement account ${problem.account} holds too little XLM for its trustlines.`,
        remedy: fund(problem),
      }
    case 'trustline_missing':
      return {
        message: `The settlement account has no trustline for ${problem.assetId}.`,
        remedy:
          custody === 'merchant'
            ? `Set a trustline for ${problem.assetId} in the wallet that holds the account.`
            : `Have the service set the trustline: quittance merchant setup ${merchant}`,
      }
    case 'trustline_pending':
      return {
        message: `The trustline for ${problem.assetId} is being set.`,
        remedy: 'Wait until the ledger shows it, which takes some seconds.',
      }
    case 'trustline_not_authorized':
      return {
        message: `The issuer of ${problem.assetId} has not authorised the settlement account to hold it.`,
        remedy: `Ask the issuer of ${assetCode(problem.assetId)} to authorise the account, or accept another asset.`,
      }
    case 'trustline_full':
      return {
        message: `The settlement account has no room for so much of ${problem.assetId}.`,
        remedy:
          problem.assetId === 'native'
            ? 'Pay out what the account holds.'
            : 'Raise the limit of the trustline, or pay out what the account holds.',
      }
  }
}

const fund = ({ account, missing }: { readonly account: AccountId; readonly missing: Stroops }): string =>
  `Send at least ${decimalFromStroops(missing)} XLM to ${account}.`
