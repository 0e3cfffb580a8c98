import { createBilling } from '@quittance/billing'
import { operatorAccount } from '@quittance/billing/testing/internals'
import { done } from '@quittance/billing/testing/outcomes'
import { endOf } from '@quittance/domain'
import { FeeBumpTransaction, Keypair, TransactionBuilder } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { ownAccountsIn, weightsOn } from '../own-accounts.ts'
import type { Invariant, Settled } from './invariant.ts'
import { mandatesOf, subscriptionHistories } from './subscription-histories.ts'

const ownAccounts = ({ fixture, network, services: faultFree }: Settled) => ({ fixture, network, faultFree })

/** Rotations by our records, in the order of their ledgers. */
const rotationsIn = async ({ services: { readModels } }: Settled) =>
  (await readModels.intents.all())
    .flatMap(({ row }) => {
      const { action, source } = row.details
      const end = endOf(row)
      return action._tag === 'rotate_key' && end?._tag === 'settled' ? [{ account: source, to: action.to, end }] : []
    })
    .toSorted((one, other) => one.end.ledger - other.end.ledger)

/** Successful transactions in order: the accounts that each uses, and the last bytes of the keys that have signed it. */
const transactionsOn = ({ network: { sandbox }, fixture }: Settled) =>
  sandbox.read
    .transactionsFrom(fixture.readFrom, 0, Number.MAX_SAFE_INTEGER)
    .flatMap(({ hash, envelope, succeeded }) => {
      const parsed = TransactionBuilder.fromXdr(Buffer.from(envelope).toString('base64'), sandbox.networkPassphrase)
      const { source, operations, signatures } = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed
      const accounts = [source, ...operations.flatMap((operation) => operation.source ?? [])]
      const hints = signatures.map((each) => Buffer.from(each.hint.value).toString('hex'))
      return succeeded ? [{ hash, accounts: new Set(accounts), operations, hints }] : []
    })
const hintOf = (key: string): string => Buffer.from(Keypair.fromPublicKey(key).signatureHint()).toString('hex')

export const keyRules: ReadonlyArray<Invariant> = [
  {
    rule: 'only the newest key of a rotated account has weight, the vault has it, and each rotation on the ledger is a settled intent',
    broken: async (settled) => {
      const rotations = await rotationsIn(settled)
      const billing = createBilling(settled.services)
      const newestOf = (account: string) => rotations.findLast((each) => each.account === account)?.to
      const wrong: Array<string> = []
      for (const { account, keys } of await ownAccountsIn(ownAccounts(settled))) {
        const weights = weightsOn(ownAccounts(settled), account)
        if (weights === null) continue
        const newest = newestOf(account) ?? account
        const found = [...weights].map(([key, isEnough]) => `${key} ${isEnough}`)
        if (found.length !== 1 || found[0] !== `${newest} true` || !keys.includes(newest))
          wrong.push(`${account} has ${found} and should have ${newest} alone`)
      }
      if (rotations.length === 0) return wrong
      const { merchantId } = settled.fixture
      for (const holder of [{ _tag: 'operator' }, { _tag: 'channels' }, { _tag: 'settlement', merchantId }] as const) {
        const shown = await billing.accountKeys.show('testnet', holder)()
        if (E.isRight(shown))
          for (const { account, isProven, rotation } of shown.right)
            if (!isProven && rotation?.status === 'done') wrong.push(`${account} is not proven`)
            else if (rotation?.status !== 'failed' && rotation?.to !== newestOf(account))
              wrong.push(`${account} is shown with ${rotation?.to}`)
      }
      return wrong
    },
  },
  {
    rule: 'no transaction of a rotated account succeeds by an earlier key',
    broken: async (settled) => {
      if ((await rotationsIn(settled)).length === 0) return []
      const own = new Map((await ownAccountsIn(ownAccounts(settled))).map(({ account, keys }) => [`${account}`, keys]))
      const newest = new Map<string, number>()
      const wrong: Array<string> = []
      for (const { hash, accounts, operations, hints } of transactionsOn(settled)) {
        for (const account of accounts) {
          const keys = own.get(account) ?? []
          const earlier = keys.slice(0, newest.get(account) ?? 0).map(hintOf)
          if (earlier.some((hint) => hints.includes(hint)))
            wrong.push(`${hash} is signed by an earlier key of ${account}`)
        }
        for (const operation of operations) {
          if (operation.type !== 'setOptions' || operation.source === undefined) continue
          const { signer } = operation
          if (signer === undefined || !('ed25519PublicKey' in signer) || signer.weight === 0) continue
          const age = own.get(operation.source)?.indexOf(String(signer.ed25519PublicKey)) ?? 0
          newest.set(operation.source, age)
        }
      }
      return wrong
    },
  },
  {
    rule: 'rotations change no address, and no mandate names another operator',
    broken: async (settled) => {
      const { fixture, services } = settled
      const { testnet } = services.networks
      const { account } = await done(services.settlementOf(fixture.merchantId, 'testnet'))
      const operator = testnet && (await operatorAccount(services, 'testnet'))
      const mandates = (await subscriptionHistories(settled)).flatMap(mandatesOf)
      return [
        ...(account === fixture.account ? [] : [`the merchant's account is ${account}`]),
        ...mandates.flatMap((mandate) =>
          mandate.operator === operator?.account ? [] : [`${mandate.mandateId} names ${mandate.operator}`],
        ),
      ]
    },
  },
]
