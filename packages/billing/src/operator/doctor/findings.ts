import {
  type AcceptedAsset,
  type AccountId,
  assetCode,
  type ContractId,
  decimalFromStroops,
  type Environment,
  type FreezeDecision,
  type Stroops,
  secondMs,
  type UnixMs,
} from '@quittance/domain'
import type { IssuerDomain } from '@quittance/ledger'
import { problemInWords, type SettlementOwner, type SettlementProblem } from '../../stores/settlement-problems.ts'

/** A finding about one network, or one merchant on it. */
export type Finding = { readonly environment: Environment } & (
  | { readonly code: 'node_unreachable'; readonly cause: string }
  | { readonly code: 'node_behind'; readonly closedAt: UnixMs; readonly now: UnixMs }
  | { readonly code: 'contract_not_configured' }
  | { readonly code: 'contract_missing'; readonly contract: ContractId }
  | { readonly code: 'contract_differs'; readonly contract: ContractId; readonly found: string | null }
  | { readonly code: 'contract_in_use' | 'contract_forgettable'; readonly contract: ContractId }
  | { readonly code: 'token_missing'; readonly asset: AcceptedAsset }
  | { readonly code: 'operator_not_created' }
  | {
      readonly code: 'operator_missing' | 'channel_missing' | 'recovery_signer_missing' | 'no_key_signs'
      readonly account: AccountId
    }
  | { readonly code: 'foreign_signer' | 'recovery_signer_removed'; readonly account: AccountId; readonly key: string }
  | {
      readonly code: 'operator_underfunded' | 'channel_underfunded'
      readonly account: AccountId
      readonly spendable: Stroops
    }
  | {
      readonly code: 'no_rate'
      readonly asset: AcceptedAsset
      readonly isDefault: boolean
      readonly pair: string
      readonly reason: string
    }
  | {
      readonly code: 'asset_not_listed'
      readonly asset: AcceptedAsset
      readonly said: Exclude<IssuerDomain, { _tag: 'Listed' }>
    }
  | { readonly code: 'frozen'; readonly freeze: FreezeDecision }
  | { readonly code: 'merchant'; readonly owner: SettlementOwner; readonly problem: SettlementProblem }
)

/** `error`: it prevents sales. `warning`: sales go on. `note`: nothing is wrong. */
export type Level = 'error' | 'warning' | 'note'

/** A finding in words. `code` is for programs; `subject` is the merchant, account, contract or asset. */
export type FindingInWords = {
  readonly environment: Environment
  readonly code: Exclude<Finding['code'], 'merchant'> | SettlementProblem['code']
  readonly level: Level
  readonly subject: string | null
  readonly message: string
  readonly remedy: string
}

export const findingInWords = (finding: Finding): FindingInWords => {
  const { environment } = finding
  const name = `QUITTANCE_${environment.toUpperCase()}`
  const option = `--environment ${environment}`
  switch (finding.code) {
    case 'node_unreachable':
      return {
        ...{ environment, code: finding.code, level: 'error', subject: null },
        message: `No node of ${environment} answers: ${finding.cause}`,
        remedy: `Check that the nodes of ${name}_RPC_URLS run and can be reached from this machine.`,
      }
    case 'node_behind': {
      const seconds = Math.round((finding.now - finding.closedAt) / secondMs)
      const since = new Date(finding.closedAt).toISOString()
      return {
        ...{ environment, code: finding.code, level: 'error', subject: null },
        message: `The newest ledger of ${environment} closed ${seconds} seconds ago, at ${since}.`,
        remedy: `Wait until the nodes of ${name}_RPC_URLS have caught up, name others, or set this machine's clock.`,
      }
    }
    case 'contract_not_configured':
      return {
        ...{ environment, code: finding.code, level: 'warning', subject: null },
        message: `No mandate contract is configured for ${environment}: subscriptions cannot be sold.`,
        remedy: `Deploy it and name it in QUITTANCE_MANDATE_CONTRACT_${environment.toUpperCase()}: quittance contract deploy ${option} --source stdin`,
      }
    case 'contract_missing':
      return {
        ...{ environment, code: finding.code, level: 'error', subject: finding.contract },
        message: `The mandate contract ${finding.contract} is not on the ledger of ${environment}.`,
        remedy: `Deploy it and name it in QUITTANCE_MANDATE_CONTRACT_${environment.toUpperCase()}: quittance contract deploy ${option} --source stdin`,
      }
    case 'contract_differs':
      return {
        ...{ environment, code: finding.code, level: 'error', subject: finding.contract },
        message: `The contract ${finding.contract} runs ${finding.found ?? 'no code of its own'}, which is not the mandate contract of this version.`,
        remedy: `Name the right contract in QUITTANCE_MANDATE_CONTRACT_${environment.toUpperCase()}. Compare: quittance contract verify ${option} --contract ${finding.contract}`,
      }
    case 'contract_in_use':
      return {
        ...{ environment, code: finding.code, level: 'note', subject: finding.contract },
        message: `Living mandates name the former contract ${finding.contract}: they are charged and ended there.`,
        remedy: `Keep it. To give it up, have its customers sign anew: quittance contract migrate ${option} --reason <reason>`,
      }
    case 'contract_forgettable':
      return {
        ...{ environment, code: finding.code, level: 'note', subject: finding.contract },
        message: `No living mandate names the former contract ${finding.contract} any more.`,
        remedy: 'It may be forgotten: its rent need not be paid.',
      }
    case 'token_missing':
      return {
        ...{ environment, code: finding.code, level: 'warning', subject: finding.asset.assetId },
        message: `${finding.asset.assetId} has no contract on the ledger of ${environment}: no subscription can be sold in it.`,
        remedy: 'Have the contract of the asset made (createStellarAssetContract), which anyone can.',
      }
    case 'operator_not_created':
      return {
        ...{ environment, code: finding.code, level: 'error', subject: null },
        message: `There is no operator account on ${environment}: subscriptions cannot be sold.`,
        remedy: `Make it, and send XLM to it: quittance operator create ${option}`,
      }
    case 'operator_missing':
    case 'operator_underfunded':
      return {
        ...{ environment, code: finding.code, level: 'error', subject: finding.account },
        message: `The operator account ${finding.account} ${lacks(finding)}: subscriptions cannot be charged.`,
        remedy: `Send at least 5 XLM to ${finding.account}.`,
      }
    case 'channel_missing':
    case 'channel_underfunded':
      return {
        ...{ environment, code: finding.code, level: 'warning', subject: finding.account },
        message: `The channel account ${finding.account} ${lacks(finding)}: money goes out more slowly, or not at all.`,
        remedy: `Send at least 5 XLM to ${finding.account}.`,
      }
    case 'foreign_signer':
      return {
        ...{ environment, code: finding.code, level: 'error', subject: finding.account },
        message: `The key ${finding.key} has weight on ${finding.account}, and is not the service's: whoever added it had a key of that account.`,
        remedy:
          'Freeze payouts, and give the account another key with the recovery key, which removes all others: docs/keys.md.',
      }
    case 'no_key_signs':
      return {
        ...{ environment, code: finding.code, level: 'error', subject: finding.account },
        message: `No key of the vault has weight on ${finding.account}: nothing is sent from it.`,
        remedy:
          'If another host goes on with the account, end this one. Otherwise put the newest vault back, or give the account another key with the recovery key: docs/keys.md.',
      }
    case 'recovery_signer_removed':
      return {
        ...{ environment, code: finding.code, level: 'error', subject: finding.account },
        message: `The recovery signer ${finding.key} was removed from ${finding.account}: whoever did it had a key of that account.`,
        remedy:
          'Freeze payouts, rotate the key of the account at once, and add the recovery signer again: docs/keys.md.',
      }
    case 'recovery_signer_missing':
      return {
        ...{ environment, code: finding.code, level: 'warning', subject: finding.account },
        message: `The account ${finding.account} has no recovery signer: if its key is lost, so is the account.`,
        remedy: `Make a key offline (quittance recovery create), and add it: quittance recovery set ${option} --signer G…`,
      }
    case 'no_rate':
      return {
        ...{ environment, code: finding.code, level: finding.isDefault ? 'error' : 'warning' },
        subject: finding.asset.assetId,
        message: `Prices in USD cannot be quoted in ${assetCode(finding.asset.assetId)}: ${finding.pair} is unknown (${finding.reason}).`,
        remedy: 'Configure sources of rates (QUITTANCE_RATES), or wait until they answer and agree.',
      }
    case 'frozen': {
      const { scope, merchantId, by, reason, at } = finding.freeze
      const of = merchantId === undefined ? 'all merchants' : `merchant ${merchantId}`
      const whose = merchantId === undefined ? '' : ` --merchant ${merchantId}`
      return {
        ...{
          environment,
          code: finding.code,
          level: scope === 'sales' || scope === 'everything' ? 'error' : 'warning',
        },
        subject: merchantId ?? null,
        message: `Frozen since ${new Date(at).toISOString()}: ${scope} of ${of}, by ${by}: ${reason}`,
        remedy: `End it once its reason is gone: quittance ${scope === 'everything' ? 'merchant reinstate' : `unfreeze ${scope}`}${whose} --reason <reason>`,
      }
    }
    case 'asset_not_listed':
      return {
        ...{ environment, code: finding.code, level: 'warning', subject: finding.asset.assetId },
        message: `${finding.asset.assetId} is not vouched for: ${whatIsSaid(finding.said)}`,
        remedy: 'Make sure that this is the issuer you mean.',
      }
    case 'merchant': {
      const { owner, problem } = finding
      const isPending = problem.code === 'trustline_pending' || problem.code === 'account_pending'
      const level = isPending ? 'warning' : 'error'
      return { environment, code: problem.code, level, subject: owner.merchantId, ...problemInWords(owner, problem) }
    }
  }
}

const lacks = (finding: Extract<Finding, { readonly account: AccountId }>): string =>
  'spendable' in finding ? `can spend only ${decimalFromStroops(finding.spendable)} XLM` : 'is not on the ledger'

const whatIsSaid = (said: Exclude<IssuerDomain, { _tag: 'Listed' }>): string => {
  switch (said._tag) {
    case 'NotListed':
      return `the document of ${said.domain}, which its issuer names, does not list it.`
    case 'NoDomain':
      return 'its issuer names no domain.'
    case 'NoIssuer':
      return 'its issuer is not on the ledger.'
    case 'Unknown':
      return said.cause
  }
}
