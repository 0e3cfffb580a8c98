import type { ContractInUse, FormerSubscription, MigrationProgress } from '@quittance/billing'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, option } from '../command.ts'
import { counted, printable, table } from '../printing.ts'
import { environmentOption, inEnvironment } from '../scope.ts'
import { decisionOf, decisionOptions } from './decision.ts'

const merchantOption = option('--merchant <merchant_id>', 'Only the subscribers of this merchant; all unless given.')

export const contractMigrate: Command = {
  name: 'contract migrate',
  summary: 'Moves the subscribers of former mandate contracts to the configured one.',
  explanation: `Every customer whose mandate names another contract, or another operator account, than new mandates do is asked to sign
anew at authorization.update_url, by the event subscription.authorization_requested and in the portal. Each is charged by the
old mandate until the new one is on the ledger; then the old one is ended. \`quittance contract migrations\` counts them.
--cancel asks nobody any more and takes back what was asked; who has signed stays moved.`,
  options: [
    environmentOption,
    merchantOption,
    new Option('--cancel', 'Cancels the migration instead.'),
    ...decisionOptions,
  ],
  needsSoundLog: true,
  example: {
    words: '--environment mainnet --reason "contract 1.1" --by Ada',
    prints: 'Migration of all merchants to CCONTRACT…: 120 customers are to be asked, 0 are asked, 0 have signed.',
    json: `{"merchant_id":null,"contract_id":"C…","status":"open","begun_at":"2026-11-23T17:21:04.000Z","by":"Ada","reason":"contract 1.1",
  "not_asked":120,"asked":0,"leaving":0,"ending":0,"signed":0,"ended":0,"ended_at":null,"changed":true}`,
  },
  run: (line, installation) =>
    inEnvironment(line, installation, async ({ mandateContracts }, { environment }) => {
      const decision = decisionOf(line)
      if (E.isLeft(decision)) return decision
      const request = { merchantId: line.option('merchant'), ...decision.right }
      const decide = line.isSet('cancel') ? mandateContracts.cancel : mandateContracts.migrate
      const decided = await decide(environment, request)()
      if (E.isLeft(decided)) return decided
      const { isNew, migration } = decided.right
      if (migration === null) return E.right({ status: 0, json: null, text: 'There is no migration.' })
      return E.right({
        status: 0,
        json: { ...jsonOf(migration), changed: isNew },
        text: printable(textOf(migration)),
      })
    }),
}

const jsonOf = (migration: MigrationProgress) => {
  const { merchantId, contract, at, by, reason, end, left, ends } = migration
  return {
    merchant_id: merchantId ?? null,
    contract_id: contract,
    status: end?._tag ?? ('open' as const),
    begun_at: new Date(at).toISOString(),
    by,
    reason,
    not_asked: left?.not_asked ?? null,
    asked: left?.asked ?? null,
    leaving: left?.leaving ?? null,
    ending: left?.ending ?? null,
    ...ends,
    ended_at: end === null ? null : new Date(end.at).toISOString(),
  }
}

const textOf = (migration: MigrationProgress): string => {
  const { merchant_id, contract_id, status, not_asked, asked, signed, ended } = jsonOf(migration)
  const what = `Migration of ${merchant_id ?? 'all merchants'} to ${contract_id}`
  if (status !== 'open') return `${what} is ${status}: ${signed} have signed, ${ended} ended.`
  return `${what}: ${counted(not_asked ?? 0, 'customer')} are to be asked, ${asked} are asked, ${signed} have signed.`
}

export const contractMigrations: Command = {
  name: 'contract migrations',
  summary: 'Lists migrations of subscribers to other contracts, with their progress.',
  explanation: `NOT ASKED: the worker asks them next. ASKED: their customers are charged by the old mandate until they sign. LEAVING: their
subscriptions end anyway, or wait for another signature. ENDING: signed or canceled, and the old mandate is being ended on the
ledger. SIGNED and ENDED: gone from the old contract since the migration began.
--subscriptions lists the mandates that are left, with the address at which each customer signs.`,
  options: [
    environmentOption,
    merchantOption,
    new Option('--subscriptions', 'Lists the mandates that are left, instead.'),
  ],
  needsSoundLog: false,
  example: {
    words: '',
    prints: `TO           OF             STATUS  NOT ASKED  ASKED  LEAVING  ENDING  SIGNED  ENDED
CCONTRACT…   all merchants  open    0          80     2        1       37      1`,
    json: `[{"merchant_id":null,"contract_id":"C…","status":"open","begun_at":"2026-11-23T17:21:04.000Z","by":"Ada","reason":"contract 1.1",
  "not_asked":0,"asked":80,"leaving":2,"ending":1,"signed":37,"ended":1,"ended_at":null}]`,
  },
  run: (line, installation) =>
    inEnvironment(line, installation, async ({ mandateContracts }, { environment }) => {
      if (line.isSet('subscriptions')) {
        const former = await mandateContracts.former(environment, line.option('merchant'))()
        if (E.isLeft(former)) return former
        const rows = former.right.map(subscriptionJson)
        const text = rows.map((each) => [
          each.subscription_id,
          each.merchant_id,
          each.contract_id,
          each.standing,
          each.update_url ?? '',
        ])
        return E.right({
          status: 0,
          json: rows,
          text:
            rows.length === 0
              ? 'Every living mandate is where new ones are.'
              : table([['SUBSCRIPTION', 'MERCHANT', 'CONTRACT', 'STANDING', 'SIGN AT'], ...text]),
        })
      }
      const found = await mandateContracts.migrations(environment)()
      if (E.isLeft(found)) return found
      const merchantId = line.option('merchant')
      const json = found.right.map(jsonOf).filter((each) => merchantId === null || each.merchant_id === merchantId)
      const rows = json.map((each) => [
        each.contract_id,
        each.merchant_id ?? 'all merchants',
        each.status,
        ...[each.not_asked, each.asked, each.leaving, each.ending].map((count) =>
          count === null ? '' : String(count),
        ),
        String(each.signed),
        String(each.ended),
      ])
      const head = ['TO', 'OF', 'STATUS', 'NOT ASKED', 'ASKED', 'LEAVING', 'ENDING', 'SIGNED', 'ENDED']
      return E.right({
        status: 0,
        json,
        text: json.length === 0 ? 'There was no migration.' : table([head, ...rows]),
      })
    }),
}

const subscriptionJson = ({
  subscriptionId,
  merchantId,
  contract,
  operator,
  standing,
  updateUrl,
}: FormerSubscription) => ({
  subscription_id: subscriptionId,
  merchant_id: merchantId,
  contract_id: contract,
  operator,
  standing,
  update_url: updateUrl,
})

export const contractList: Command = {
  name: 'contract list',
  summary: 'Lists the mandate contracts, and how many living mandates name each.',
  explanation: `The configured contract first, then every other one that a mandate in the log has named. A former contract is followed,
charged and ended in as long as a living mandate names it. With none, it may be forgotten: its rent need not be paid any more.`,
  options: [environmentOption],
  needsSoundLog: false,
  example: {
    words: '--environment mainnet',
    prints: `CONTRACT    LIVING  STANDING
CCONTRACT…  2210    configured
CFORMER…    80      in use
COLDER…     0       may be forgotten`,
    json: `[{"contract_id":"C…","standing":"configured","living":2210,
  "operators":[{"operator":"G…","service":true,"living":2210}]}]`,
  },
  run: (line, installation) =>
    inEnvironment(line, installation, async ({ mandateContracts }, { environment }) => {
      const found = await mandateContracts.list(environment)()
      if (E.isLeft(found)) return found
      const rows = found.right.map((each) => [each.contract, String(each.living), standings[each.standing]])
      return E.right({
        status: 0,
        json: found.right.map(contractJson),
        text:
          rows.length === 0 ? 'There is no mandate contract.' : table([['CONTRACT', 'LIVING', 'STANDING'], ...rows]),
      })
    }),
}

const standings: Readonly<Record<ContractInUse['standing'], string>> = {
  configured: 'configured',
  in_use: 'in use',
  forgettable: 'may be forgotten',
}

const contractJson = (each: ContractInUse) => ({
  contract_id: each.contract,
  standing: each.standing,
  living: each.living,
  operators: each.operators.map(({ operator, isService, living }) => ({ operator, service: isService, living })),
})
