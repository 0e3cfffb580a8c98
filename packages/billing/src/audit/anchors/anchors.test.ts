import { createHash } from 'node:crypto'
import { dayMs, hourMs, LedgerSequence, LedgerTransaction, minuteMs, TransactionHash } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { parseNote } from '@quittance/transparency'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { operatorAccount } from '../../features/outgoing/signing-accounts.ts'
import { fold } from '../../kernel/fold.ts'
import { dyingAfter, ProcessDied } from '../../testing/failing-stores.ts'
import { done, present, right } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
import { openStoreFront, type StoreFront, setsNothingUp } from '../../testing/store-front.ts'
import type { Anchor, AnchorPlace } from './anchor.ts'
import { anchorsInLog } from './in-log.ts'
import { compareWithLedger } from './on-ledger.ts'

describe('checkpoints on the ledger', () => {
  let front: StoreFront
  afterEach(() => front.close())

  type SeenAs = Parameters<typeof openStoreFront>[1]
  const open = async (seenAs: SeenAs = (network) => ({ ...network, anchorEveryMs: dayMs })): Promise<void> => {
    front = await openStoreFront({}, seenAs)
  }
  const signedNote = () => done(front.billing.transparency.sign)
  /** Signs a checkpoint, and answers its text. */
  const sign = async (): Promise<string> => right(parseNote(await signedNote())).text
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
  const list = () => done(front.billing.anchors.list('testnet', 100))
  const standings = async () => (await list()).map(({ standing: { _tag } }) => _tag)
  const pass = async (...waits: ReadonlyArray<number>): Promise<void> => {
    for (const ms of waits) {
      front.network.wait(ms)
      await front.step()
    }
  }
  const aFewLedgers = [5_000, 5_000, 5_000, 5_000]
  const operator = async () => present(await operatorAccount(front.services, 'testnet')).account
  /** The hashes that stand as memos of the operator account's transactions on the ledger, oldest first. */
  const memosOnLedger = async (): Promise<ReadonlyArray<string>> => {
    const own = await operator()
    const { ledgers } = right(await front.network.gateway.readLedgers(decoded(LedgerSequence, 2), 200, null)())
    return [...ledgers].flatMap((ledger) =>
      ledger
        .ownTransactions((account) => (account === own ? [account] : []))
        .flatMap(({ memo }) => (memo._tag === 'hash' ? [memo.value] : [])),
    )
  }

  it('carry SHA-256 of the signed text in a transaction that the ledger holds', async () => {
    await open()
    const note = await signedNote()
    const { text } = right(parseNote(note))
    await pass(...aFewLedgers)
    const [anchor, ...more] = await list()
    expect(more).toEqual([])
    const { standing, ...facts } = present(anchor)
    const named = { environment: 'testnet', checkpoint: text, note, hash: hashOf(text) }
    expect(facts).toEqual(named)
    if (standing._tag !== 'anchored') throw new Error(standing._tag)
    const { transactionHash, ledger, closedAt, envelopeXdr } = standing
    expect(await done(front.network.gateway.lookUp(transactionHash))).toEqual({ _tag: 'Succeeded', ledger, closedAt })
    const { events } = await done(front.platform.log.readStream(`${LedgerTransaction.category}-${transactionHash}`))
    const details = { class: 'anchor', envelopeXdr }
    expect(fold(LedgerTransaction, events)).toMatchObject({ status: 'closed', details })
    expect(await memosOnLedger()).toEqual([hashOf(text)])
    expect(front.worker.troubles()).toEqual([])
    expect(await anchorsInLog(front.platform.log)).toEqual([anchor])
  })

  it('are compared with what the ledger holds', async () => {
    await open()
    await sign()
    await pass(...aFewLedgers)
    const anchor = present((await list())[0])
    const { standing } = anchor
    if (standing._tag !== 'anchored') throw new Error(standing._tag)
    const compared = async (changed: Partial<Anchor>, place: Partial<AnchorPlace> = {}) =>
      done(() =>
        compareWithLedger(front.network.gateway, { ...anchor, standing: { ...standing, ...place }, ...changed }),
      )
    expect(await compared({})).toEqual({ _tag: 'confirmed' })
    expect(await compared({ standing: { _tag: 'waiting' } })).toEqual({ _tag: 'not_anchored' })
    expect(await compared({ hash: hashOf('another checkpoint') })).toEqual({ _tag: 'another_hash' })
    expect(await compared({}, { envelopeXdr: null })).toEqual({ _tag: 'another_transaction' })
    const another = decoded(TransactionHash, hashOf('another transaction'))
    expect(await compared({}, { transactionHash: another })).toEqual({ _tag: 'another_transaction' })
    const earlier = decoded(LedgerSequence, standing.ledger - 1)
    expect(await compared({}, { ledger: earlier })).toEqual({ _tag: 'another_ledger', ledger: standing.ledger })
    const failed = { _tag: 'Failed', ledger: standing.ledger, closedAt: standing.closedAt } as const
    const lookUp = () => TE.right({ ...failed, code: 'txFAILED', operationCodes: [] })
    expect(await done(() => compareWithLedger({ ...front.network.gateway, lookUp }, anchor))).toEqual({
      _tag: 'failed',
    })
    front.network.startAnew()
    const later = decoded(LedgerSequence, 1)
    expect([await compared({}), await compared({}, { ledger: later })]).toEqual([
      { _tag: 'not_held' },
      { _tag: 'not_on_ledger' },
    ])
  })

  it('are put there once in each interval, and only where the log has a newer one', async () => {
    await open()
    const first = await sign()
    await pass(...aFewLedgers)
    const second = await sign()
    await pass(dayMs - hourMs, ...aFewLedgers)
    expect(await memosOnLedger()).toEqual([hashOf(first)])
    await pass(hourMs, ...aFewLedgers)
    await pass(2 * dayMs, ...aFewLedgers)
    expect(await memosOnLedger()).toEqual([hashOf(first), hashOf(second)])
    expect(await standings()).toEqual(['anchored', 'anchored'])
  })

  it('are not put there unless an interval is configured, nor before a checkpoint is signed', async () => {
    await open((network) => network)
    await sign()
    await pass(...aFewLedgers)
    expect(await list()).toEqual([])
    await front.close()
    await open()
    await pass(...aFewLedgers)
    expect(await list()).toEqual([])
  })

  it('are put there once by two processes that find it due at once', async () => {
    await open()
    const second = await openPlatform(front.network, front.folder.path)
    const text = await sign()
    for (let ledgers = 0; ledgers < 6; ledgers++) {
      front.network.wait(5_000)
      await Promise.all([front.step(), done(second.worker.step)])
    }
    await second.close()
    expect(await memosOnLedger()).toEqual([hashOf(text)])
    expect(await standings()).toEqual(['anchored'])
  })

  it.each([
    ['is taken by the next ledger', false],
    ['never reaches the network', true],
  ])(
    'are put there once where a process dies after any append and the transaction %s',
    async (_, isLost) => {
      await open()
      const lives = async (process: TestPlatform): Promise<boolean> => {
        try {
          for (let ledgers = 0; ledgers < 3; ledgers++) {
            await done(process.worker.step)
            front.network.wait(1_000)
          }
          return true
        } catch (defect) {
          if (defect instanceof ProcessDied) return false
          throw defect
        }
      }
      const anchored: Array<string> = []
      let isAlive = false
      let deaths = 0
      for (; !isAlive; deaths++) {
        anchored.push(hashOf(await sign()))
        front.network.faults.losesSubmissions = isLost
        const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
        isAlive = await lives(dying)
        await dying.close()
        front.network.faults.losesSubmissions = false
        await pass(1_000, 3 * minuteMs, 1_000, 1_000, 1_000)
        expect(await memosOnLedger()).toEqual(anchored)
        await pass(dayMs)
      }
      expect(deaths).toBeGreaterThan(5)
      expect((await standings()).every((standing) => standing === 'anchored')).toBe(true)
    },
    120_000,
  )

  it('wait, with an alarm, where there is no operator account', async () => {
    await open((network) => ({ ...setsNothingUp(network), anchorEveryMs: dayMs, setUpBalance: network.setUpBalance }))
    await sign()
    await pass(...aFewLedgers)
    expect(front.worker.troubles()).toContainEqual({ _tag: 'CannotAnchor', cause: 'there is no operator account' })
    expect(await list()).toEqual([])
  })
})
