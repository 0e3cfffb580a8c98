import * as E from 'fp-ts/lib/Either.js'
import { dataOf, keyOf } from '../../ledger/entry-keys.ts'
import { invoke } from '../invoke.ts'
import { type RecordedCall, recordedTokenCalls } from '../testing/recorded-calls.ts'

const recorded = recordedTokenCalls()
if (recorded.length === 0)
  process.stderr.write('recorded ledgers are not at hand: no token call is compared with them\n')

/** Differences from stellar-core in return value, events and entries, except lifetimes. */
const differences = ({ invocation, changes, events, returnValue }: RecordedCall): ReadonlyArray<string> => {
  const outcome = invoke(invocation)
  if (E.isLeft(outcome.result)) return [`refused: ${JSON.stringify(outcome.result.left)}`]
  const answer = outcome.result.right.toXdr('hex') === returnValue?.toXdr('hex') ? [] : ['the answer']
  const told = outcome.events.map((each) => each.toXdr('hex')).join() === events.map((each) => each.toXdr('hex')).join()
  const after = changes.flatMap((change) =>
    change.type === 'ledgerEntryCreated' || change.type === 'ledgerEntryUpdated' ? [dataOf(change.value)] : [],
  )
  const entries = after.filter((data) => data.type !== 'ttl')
  const others = entries.filter((data) => {
    const held = invocation.draft.find(keyOf(data))?.data
    return held?.toXdr('hex') !== data.toXdr('hex')
  })
  return [...answer, ...(told ? [] : ['the events']), ...others.map((data) => `${data.type} ${JSON.stringify(data)}`)]
}

if (recorded.length > 0)
  describe('a token call on a recorded network', () => {
    it('a recorded token call has the same result, events and entries, byte for byte', () => {
      const differing = recorded.map((each) => ({ place: each.place, differs: differences(each) }))
      expect(differing.filter(({ differs }) => differs.length > 0)).toEqual([])
      const counts = new Map<string, number>()
      for (const { name } of recorded) counts.set(name, (counts.get(name) ?? 0) + 1)
      expect(Object.fromEntries(counts)).toEqual({ create: 1, mint: 1, clawback: 2, transfer: 10 })
    })
  })
