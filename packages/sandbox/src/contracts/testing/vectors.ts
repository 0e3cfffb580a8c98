import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

const Kept = t.union([t.null, t.strict({ entry: t.string, live_until: t.union([t.null, t.number]) })])
const Change = t.strict({ key: t.string, before: Kept, after: Kept })
export type VectorChange = t.TypeOf<typeof Change>

const Ledger = t.strict({ sequence: t.number, timestamp: t.number })

const Cost = t.strict({ instructions: t.number, fee_stroops: t.number, event_bytes: t.number })

const Call = t.strict({
  ledger: Ledger,
  function: t.string,
  arguments: t.array(t.string),
  authorisations: t.array(t.strict({ address: t.string, invocation: t.string })),
  outcome: t.union([
    t.strict({ value: t.string }),
    t.strict({ contract_error: t.number }),
    t.strict({ other_error: t.literal(true) }),
  ]),
  cost: Cost,
  events: t.array(t.string),
  changes: t.array(Change),
})
export type VectorCall = t.TypeOf<typeof Call>

/** A step without a function changes entries from outside. */
const Step = t.union([Call, t.strict({ ledger: Ledger, changes: t.array(Change) })])

const Scenario = t.strict({
  contract: t.string,
  initial: t.array(t.strict({ key: t.string, entry: t.string, live_until: t.union([t.null, t.number]) })),
  steps: t.array(Step),
})
export type Scenario = t.TypeOf<typeof Scenario>

const folder = new URL('../../../../../contracts/mandate/vectors/', import.meta.url)

/** A scenario recorded natively from the mandate's committed code. */
export const scenarioNamed = (name: string): Scenario => {
  const read = Scenario.decode(JSON.parse(readFileSync(new URL(`${name}.generated.json`, folder), 'utf8')))
  if (E.isLeft(read)) throw new Error(`${name} is not a scenario`)
  return read.right
}
