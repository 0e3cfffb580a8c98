import type { EventStore } from '@quittance/event-store'
import fc from 'fast-check'
import { anyHistory, write } from '../testing/any-history.ts'
import { writingTo } from '../testing/log.ts'
import { startChild } from '../testing/process.ts'
import { postgresProjections } from './projections.ts'
import { noting } from './testing/noting.ts'
import { caughtUp, endOf, idsIn, longMs, projectorStage, rowsOnSqlite } from './testing/projector-stage.ts'

const stage = projectorStage()
const { openProjector, openPeerLog, noted, rowsIn } = stage

describe('a server that stops in the midst of a batch', () => {
  const projections = [...postgresProjections, noting()]
  const history = async (store: EventStore, seed: number): Promise<void> =>
    write(writingTo(store), fc.sample(anyHistory, { numRuns: 1, seed }).flat())

  /** Another process has the lock, within the transaction of the first batch. */
  const withOther = async (moment: 'waits' | 'stops') => {
    const { connectionString, store } = await openPeerLog()
    const child = startChild('projecting', connectionString, stage.cluster().connectionString, stage.schema(), moment)
    stage.closedLater(async () => {
      child.kill()
      await child.ended
    })
    expect(await child.line()).toBe('begun')
    await history(store, 1)
    expect(await child.line()).toBe('within')
    return { child, store }
  }
  const expectWhole = async (store: EventStore): Promise<void> => {
    expect(await noted()).toEqual(await idsIn(store))
    expect(await rowsIn()).toEqual(await rowsOnSqlite(store))
  }

  it('by kills at any moment loses and doubles nothing, beside one that stays', async () => {
    const { connectionString, store } = await openPeerLog()
    const staying = await openProjector(store, projections)
    expect(await staying.begin()).toEqual(caughtUp)
    for (let round = 1; round <= 5; round += 1) {
      const child = startChild(
        'projecting',
        connectionString,
        stage.cluster().connectionString,
        stage.schema(),
        'goes on',
      )
      const written = history(store, round)
      expect(await child.line()).not.toBeNull()
      await history(store, 100 + round)
      child.kill()
      expect(await child.ended).toBe('SIGKILL')
      await written
    }
    await staying.reached(await endOf(store), longMs)
    await expectWhole(store)
  })

  it('by a kill in its transaction loses and doubles nothing: another goes on', async () => {
    const { child, store } = await withOther('waits')
    const next = await openProjector(store, projections)
    child.kill()
    await child.ended
    expect(await next.begin()).toEqual(caughtUp)
    await expectWhole(store)
  })

  it('by a pause holds the others up until the server ends its transaction, and applies nothing twice when it wakes', async () => {
    const { child, store } = await withOther('waits')
    child.pause()
    const next = await openProjector(store, projections)
    expect(await next.begin()).toEqual(caughtUp)
    await history(store, 2)
    await next.reached(await endOf(store), longMs)
    await expectWhole(store)

    child.resume()
    child.tell('go on')
    await history(store, 3)
    const end = await endOf(store)
    await next.reached(end, longMs)
    await next.close()
    // From here on only the one that was paused is left.
    await history(store, 4)
    const reading = await openProjector(store, projections)
    await reading.reached(await endOf(store), longMs)
    await expectWhole(store)
  })

  it('while it reads an answer of the server holds the others up no longer than a statement may take', async () => {
    const { store } = await withOther('stops')
    const next = await openProjector(store, projections)
    expect(await next.begin()).toEqual(caughtUp)
    await expectWhole(store)
  })
})
