import { type AccountId, type ContractId, TransactionHash } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createIngestion } from './create-ingestion.ts'
import type { LedgerBatch, LedgerGateway, Naming, OpaqueLedger } from './gateway.ts'
import type { IngestionOptions } from './ingestion.ts'
import { named } from './named.ts'
import { cursorAt, type Failure, ingesting, ledgers, sequences } from './testing/ingesting.ts'
import { alice, hashOf, headOf, ledger, mandateContract, sequence } from './testing/ledgers.ts'
import { nobody, payee } from './testing/sandbox.ts'

/** Ledger 3 of five cannot be decoded, and its bytes hold these. */
const opaqueAmong = (
  named: ReadonlyArray<AccountId | ContractId>,
  changed: Partial<IngestionOptions<Failure>> = {},
  previousHash = hashOf(2),
) => {
  const passed: Array<number> = []
  const opaque: OpaqueLedger = {
    ...headOf(3),
    hash: hashOf(3),
    previousHash,
    protocol: 28,
    cause: 'unknown',
    names: (isOurs) => named.find(isOurs) ?? null,
  }
  const found = ingesting(ledgers(1, 5))
  const readLedgers: LedgerGateway['readLedgers'] = (from, limit, after) => {
    if (from === 3)
      return TE.left({ _tag: 'LedgerUnreadable', sequence: sequence(3), cause: 'unknown', protocol: 28, opaque })
    return found.gateway.readLedgers(from, from < 3 ? 3 - from : limit, after)
  }
  const ingestion = createIngestion({
    ...found.options,
    gateway: { ...found.gateway, readLedgers },
    mandateContracts: async () => new Set([mandateContract]),
    ownAccounts: async () => new Set([payee.accountId]),
    onPassedOver: ({ sequence: number }) => {
      passed.push(number)
      return TE.right(true)
    },
    ...changed,
  })
  return { ...found, ingestion, passed }
}

describe('ingestion of a ledger that cannot be decoded', () => {
  it('passes it, in order, if its bytes hold nothing of ours', async () => {
    const { ingestion, passed, handled, state, alarms } = opaqueAmong([nobody.accountId])
    expect(E.isRight(await ingestion.step())).toBe(true)
    expect([passed, sequences(handled), alarms]).toEqual([[3], [1, 2, 4, 5], []])
    expect(state.cursor).toEqual(cursorAt(5))
  })

  it.each([
    ['a watched account', alice],
    ['an account of ours that pays fees', payee.accountId],
    ['a contract that mandates name', mandateContract],
  ])('halts, and says why, if it holds %s', async (_, held) => {
    const { ingestion, passed, handled, state, alarms } = opaqueAmong([nobody.accountId, held])
    const cause = `unknown; it holds something of ${held}`
    const halted = { _tag: 'LedgerUnreadable' as const, sequence: sequence(3), cause, protocol: 28 }
    expect(await ingestion.step()).toEqual(E.left(halted))
    expect(await ingestion.step()).toEqual(E.left(halted))
    expect([passed, sequences(handled), alarms]).toEqual([[], [1, 2], [halted]])
    expect(state.cursor).toEqual(cursorAt(2))
  })

  it('halts where too many were recorded', async () => {
    const { ingestion, state } = opaqueAmong([], { onPassedOver: () => TE.right(false) })
    const cause = 'unknown; too many were passed over'
    expect(await ingestion.step()).toEqual(
      E.left({ _tag: 'LedgerUnreadable', sequence: sequence(3), protocol: 28, cause }),
    )
    expect(state.cursor).toEqual(cursorAt(2))
  })

  it('halts if it does not continue the ledger before', async () => {
    const { ingestion, passed } = opaqueAmong([], {}, hashOf(99))
    expect(await ingestion.step()).toMatchObject({ left: { _tag: 'ChainBroken', foundPrevious: hashOf(99) } })
    expect(passed).toEqual([])
  })

  it('keeps the cursor before it while it cannot be recorded', async () => {
    const down = { _tag: 'StoreDown' as const }
    const { ingestion, state } = opaqueAmong([], { onPassedOver: () => TE.left(down) })
    expect(await ingestion.step()).toEqual(E.left(down))
    expect(state.cursor).toEqual(cursorAt(2))
  })
})

describe('ingestion of a ledger with transactions that cannot be decoded', () => {
  const transactions = [named(TransactionHash, hashOf(33))]
  const partly = (names: Naming) => ({
    ...ledger(3),
    undecoded: { protocol: 28, cause: 'unknown', transactions, names },
  })
  const among =
    (...held: ReadonlyArray<AccountId | ContractId>): Naming =>
    (isOurs) =>
      held.find(isOurs) ?? null
  const ingestingPartly = (
    changed: Partial<IngestionOptions<Failure>> = {},
    names: Naming = among(nobody.accountId),
  ) => {
    const steps: Array<string> = []
    const found = ingesting([...ledgers(1, 2), partly(names), ...ledgers(4, 5)], {
      mandateContracts: async () => new Set([mandateContract]),
      ownAccounts: async () => new Set([payee.accountId]),
      onPassedOver: (passed) => {
        steps.push(`passed over ${passed.transactions?.length} of ${passed.sequence}`)
        return TE.right(true)
      },
      onLedger: (ingested) => {
        steps.push(`handled ${ingested.sequence}`)
        return TE.right(undefined)
      },
      ...changed,
    })
    return { ...found, steps }
  }

  it('records them, then handles all else of the ledger', async () => {
    const { ingestion, steps, alarms } = ingestingPartly()
    await ingestion.step()
    const rest = ['passed over 1 of 3', 'handled 3', 'handled 4', 'handled 5']
    expect([steps, alarms]).toEqual([['handled 1', 'handled 2', ...rest], []])
  })

  it.each([
    ['a watched account', alice],
    ['an account of ours that pays fees', payee.accountId],
    ['a contract that mandates name', mandateContract],
  ])('handles nothing of it, and halts, if they hold %s', async (_, held) => {
    const { ingestion, steps, state } = ingestingPartly({}, among(nobody.accountId, held))
    const cause = `unknown; it holds something of ${held}`
    expect(await ingestion.step()).toEqual(
      E.left({ _tag: 'LedgerUnreadable', sequence: sequence(3), cause, protocol: 28 }),
    )
    expect([steps, state.cursor]).toEqual([['handled 1', 'handled 2'], cursorAt(2)])
  })

  it.each<[string, Partial<IngestionOptions<Failure>>]>([
    ['where too many were recorded', { onPassedOver: () => TE.right(false) }],
    ['while they cannot be recorded', { onPassedOver: () => TE.left({ _tag: 'StoreDown' }) }],
  ])('handles nothing of it %s', async (_, changed) => {
    const { ingestion, steps, state } = ingestingPartly(changed)
    expect(E.isLeft(await ingestion.step())).toBe(true)
    expect([steps, state.cursor]).toEqual([['handled 1', 'handled 2'], cursorAt(2)])
  })

  it('records them again, before the same ledger, after a crash in between', async () => {
    const crashes = { left: 1 }
    const { ingestion, steps, state } = ingestingPartly({
      onLedger: ({ sequence: handled }) => {
        if (handled === 3 && crashes.left-- > 0) return TE.left({ _tag: 'StoreDown' })
        steps.push(`handled ${handled}`)
        return TE.right(undefined)
      },
    })
    await ingestion.step()
    expect(state.cursor).toEqual(cursorAt(2))
    await ingestion.step()
    expect(steps.slice(2)).toEqual([...Array(2).fill('passed over 1 of 3'), 'handled 3', 'handled 4', 'handled 5'])
  })

  it('halts if only what the second node shows of it holds something of ours', async () => {
    const { options, gateway, steps } = ingestingPartly()
    const twin = { node: 'b', ledgers: [partly(among(alice))] }
    const readLedgers: LedgerGateway['readLedgers'] = (from, limit, before) =>
      TE.map((batch: LedgerBatch) => (from === 3 ? { ...batch, twin } : batch))(
        gateway.readLedgers(from, from < 3 ? 3 - from : limit, before),
      )
    const ingestion = createIngestion({ ...options, gateway: { ...gateway, readLedgers } })
    expect(await ingestion.step()).toMatchObject({ left: { cause: expect.stringContaining(alice) } })
    expect(steps).toEqual(['handled 1', 'handled 2'])
  })
})
