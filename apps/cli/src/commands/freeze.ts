import { FreezeScope } from '@quittance/domain'
import { Argument } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, mandatoryOption, option, type ParsedLine } from '../command.ts'
import type { CommandError } from '../command-error.ts'
import type { Installation } from '../installation.ts'
import { counted, printable, table } from '../printing.ts'
import { decisionOf, decisionOptions } from './decision.ts'

const scopeArgument = (): Argument => new Argument('<scope>', 'sales, charges or payouts.').choices(Object.keys(stops))

const options = [
  option('--merchant <merchant_id>', 'Only this merchant; all merchants unless given.'),
  ...decisionOptions,
]

/** The scopes of a freeze, and what each stops. */
const stops = {
  sales: 'no checkout, quote, payment transaction or mandate is made',
  charges: 'no subscription is charged, and none is brought closer to its end',
  payouts: 'no payout, refund or return leaves a settlement account',
}

export const freeze: Command = {
  name: 'freeze',
  summary: 'Stops sales, charges or payouts, of one merchant or of all.',
  explanation: `sales: ${stops.sales}; money that arrives anyway is kept and booked.
charges: ${stops.charges}.
payouts: ${stops.payouts}; they can be requested, and wait.
Every process of the service obeys at once. A transaction that a node of the network has may still enter a ledger.`,
  argument: scopeArgument(),
  options,
  // Also before a log that went back is accepted, so that nothing is sent afterwards.
  needsSoundLog: false,
  example: {
    words: 'payouts --merchant mer_… --reason "a key was stolen" --by Ada',
    prints: 'Frozen: payouts of mer_…, says Ada. 3 movements of money wait.',
    json: '{"scope":"payouts","merchant_id":"mer_…","frozen":true,"changed":true,"waiting":3,"by":"Ada","reason":"a key was stolen"}',
  },
  run: (line, installation) => decide(line, installation, 'freeze', line.required('scope')),
}

export const unfreeze: Command = {
  name: 'unfreeze',
  summary: 'Allows again what was frozen.',
  explanation: `What waits is sent within seconds: \`quittance freezes\` counts it. Look before at what was requested during the freeze,
and cancel the payouts that should not leave (\`quittance merchant payout --cancel\`).
A freeze of all merchants and one of a single merchant are two freezes: each is ended by itself.`,
  argument: scopeArgument(),
  options,
  needsSoundLog: true,
  example: {
    words: 'payouts --merchant mer_… --reason "the key is revoked"',
    prints: 'Not frozen any more: payouts of mer_…, says operator. 3 movements of money go on.',
    json: '{"scope":"payouts","merchant_id":"mer_…","frozen":false,"changed":true,"waiting":3,"by":"operator","reason":"the key is revoked"}',
  },
  run: (line, installation) => decide(line, installation, 'unfreeze', line.required('scope')),
}

const decide = async (
  line: ParsedLine,
  { withBilling }: Installation,
  change: 'freeze' | 'unfreeze',
  scope: string,
): Promise<E.Either<CommandError, CommandResult>> => {
  const decision = decisionOf(line)
  if (E.isLeft(decision)) return decision
  if (!FreezeScope.is(scope)) throw new Error(`${scope} is no scope`)
  const merchantId = line.option('merchant')
  const isFreeze = change === 'freeze'
  return withBilling(async ({ freezes }) => {
    const decided = await freezes[change]({ scope, merchantId, ...decision.right })()
    if (E.isLeft(decided)) return decided
    const { isNew, waiting } = decided.right
    return E.right({
      status: 0,
      json: { scope, merchant_id: merchantId, frozen: isFreeze, changed: isNew, waiting, ...decision.right },
      text: printable(
        textOf(isFreeze, isNew, `${scope} of ${merchantId ?? 'all merchants'}`, decision.right.by, waiting),
      ),
    })
  })
}

const textOf = (isFreeze: boolean, isNew: boolean, what: string, by: string, waiting: number): string => {
  const movements = counted(waiting, 'movement')
  if (!isNew) return isFreeze ? `Frozen already: ${what}.` : `Not frozen: ${what}. Nothing was recorded.`
  return isFreeze
    ? `Frozen: ${what}, says ${by}. ${movements} of money wait.`
    : `Not frozen any more: ${what}, says ${by}. ${movements} of money go on.`
}

const suspensionOptions = [mandatoryOption('--merchant <merchant_id>', 'The merchant.'), ...decisionOptions]

export const merchantSuspend: Command = {
  name: 'merchant suspend',
  summary: 'Suspends a merchant: nothing is sold, charged or paid out, and its keys only read.',
  explanation: `Freezes sales, charges and payouts of the merchant. Requests of its keys that would change something are refused with
403 merchant_suspended; reading works. Its customers keep their access and may cancel. Money that arrives is booked.`,
  options: suspensionOptions,
  needsSoundLog: false,
  example: {
    words: '--merchant mer_… --reason "an order of the court"',
    prints: 'Frozen: everything of mer_…, says operator. 0 movements of money wait.',
    json: '{"scope":"everything","merchant_id":"mer_…","frozen":true,"changed":true,"waiting":0,"by":"operator","reason":"an order of the court"}',
  },
  run: (line, installation) => decide(line, installation, 'freeze', 'everything'),
}

export const merchantReinstate: Command = {
  name: 'merchant reinstate',
  summary: 'Ends the suspension of a merchant.',
  explanation: `What waits goes on within seconds, unless another freeze holds it: look at \`quittance freezes\`.`,
  options: suspensionOptions,
  needsSoundLog: true,
  example: {
    words: '--merchant mer_… --reason "the order was lifted"',
    prints: 'Not frozen any more: everything of mer_…, says operator. 0 movements of money go on.',
    json: '{"scope":"everything","merchant_id":"mer_…","frozen":false,"changed":true,"waiting":0,"by":"operator","reason":"the order was lifted"}',
  },
  run: (line, installation) => decide(line, installation, 'unfreeze', 'everything'),
}

export const freezeList: Command = {
  name: 'freezes',
  summary: 'Lists what is frozen, and how much waits.',
  explanation: `Lists every freeze in force, the oldest first, with the number of refunds, returns and payouts, or of charges, that wait
for its end.`,
  options: [],
  needsSoundLog: false,
  example: {
    words: '',
    prints: `SCOPE    OF     SINCE                     BY   WAITING  REASON
payouts  mer_…  2026-11-23T09:12:31.000Z  Ada  3        a key was stolen`,
    json: '[{"scope":"payouts","merchant_id":"mer_…","at":"2026-11-23T09:12:31.000Z","by":"Ada","waiting":3,"reason":"a key was stolen"}]',
  },
  run: (_, { withBilling }) =>
    withBilling(async ({ freezes }) => {
      const found = await freezes.inForce()
      if (E.isLeft(found)) return found
      const json = found.right.map(({ scope, merchantId, at, by, waiting, reason }) => ({
        scope,
        merchant_id: merchantId ?? null,
        at: new Date(at).toISOString(),
        by,
        waiting,
        reason,
      }))
      const rows = json.map((each) => [
        each.scope,
        each.merchant_id ?? 'all merchants',
        each.at,
        each.by,
        String(each.waiting),
        each.reason,
      ])
      return E.right({
        status: 0,
        json,
        text:
          json.length === 0
            ? 'Nothing is frozen.'
            : table([['SCOPE', 'OF', 'SINCE', 'BY', 'WAITING', 'REASON'], ...rows]),
      })
    }),
}
