import type { EventStore } from '@quittance/event-store'
import { inQueueOf } from './queue-of-stream.ts'

describe('commands on one stream', () => {
  const unused = (): never => {
    throw new Error('a test')
  }
  const newStore = (): EventStore => ({ readStream: unused, append: unused, readAll: unused, subscribe: unused })
  const gate = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return { promise, open: resolve }
  }

  it('run one after another in the order of the calls, whether those before succeed or throw', async () => {
    const [store, met] = [newStore(), [] as string[]]
    const work = (name: string, isFailing: boolean) => async () => {
      met.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      met.push(`${name} ends`)
      if (isFailing) throw new Error(name)
      return name
    }
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) => inQueueOf(store, 'stream', work(name, name === 'b'))),
    )
    expect(met).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('do not wait for those on another stream or of another store', async () => {
    const [store, { promise, open }] = [newStore(), gate()]
    const slow = inQueueOf(store, 'stream', () => promise)
    expect(await inQueueOf(store, 'other', async () => 'done')).toBe('done')
    expect(await inQueueOf(newStore(), 'stream', async () => 'done')).toBe('done')
    open()
    await slow
  })

  it('go ahead when those before do not end in time', async () => {
    const [store, { promise, open }] = [newStore(), gate()]
    const slow = inQueueOf(store, 'stream', () => promise)
    expect(await inQueueOf(store, 'stream', async () => 'done', 1)).toBe('done')
    open()
    await slow
  })
})
