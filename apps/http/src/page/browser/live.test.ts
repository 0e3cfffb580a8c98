import { followStatus } from './live.ts'
import type { Status } from './wire.ts'

/** A checkout being followed; `tick` lets the next poll come. */
const following = (stream: { isOpen: boolean }, answer: () => Promise<unknown>) => {
  const seen: Array<Status['status']> = []
  const connections: Array<boolean> = []
  const delays: Array<number> = []
  const state = { isClosed: false, polls: 0 }
  let emit: (data: string) => void = () => {}
  let next: (() => void) | null = null
  const settle = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  followStatus({
    openEvents: (onMessage) => {
      emit = onMessage
      return {
        isOpen: () => stream.isOpen,
        close: () => {
          state.isClosed = true
        },
      }
    },
    fetchStatus: () => {
      state.polls += 1
      return answer()
    },
    schedule: (action, afterMs) => {
      delays.push(afterMs)
      next = action
    },
    onStatus: ({ status }) => seen.push(status),
    onConnection: (isConnected) => connections.push(isConnected),
  })
  const tick = async () => {
    const action = next
    next = null
    action?.()
    await settle()
  }
  return {
    seen,
    connections,
    delays,
    state,
    settle,
    tick,
    emit: (data: unknown) => emit(JSON.stringify(data)),
    isWaiting: () => next !== null,
  }
}

const open = { status: 'open' }

describe('following a checkout', () => {
  it('receives events of a checkout at once and polls rarely beside them', async () => {
    const live = following({ isOpen: true }, async () => open)
    await live.settle()
    live.emit({ status: 'completed' })
    expect(live.seen).toEqual(['open', 'completed'])
    expect(live.delays).toEqual([30_000])
  })

  it('polls a checkout often without events', async () => {
    const answers = ['open', 'open', 'completed']
    const live = following({ isOpen: false }, async () => ({ status: answers.shift() }))
    await live.settle()
    await live.tick()
    await live.tick()
    expect(live.seen).toEqual(['open', 'open', 'completed'])
    expect(live.delays).toEqual([4_000, 4_000])
  })

  it.each(['completed', 'failed'])('stops following a checkout that is %s', async (status) => {
    const live = following({ isOpen: true }, async () => ({ status }))
    await live.settle()
    live.emit(open)
    expect({ seen: live.seen, isClosed: live.state.isClosed, isWaiting: live.isWaiting() }).toEqual({
      seen: [status],
      isClosed: true,
      isWaiting: false,
    })
  })

  it('follows a checkout after expiry, since a late payment may still complete it', async () => {
    const live = following({ isOpen: true }, async () => ({ status: 'expired' }))
    await live.settle()
    live.emit({ status: 'completed' })
    expect(live.seen).toEqual(['expired', 'completed'])
  })

  it('reports a silent service, keeps polling, and reports recovery', async () => {
    const answers = [() => Promise.reject(new Error('gone')), () => Promise.resolve(open)]
    const live = following({ isOpen: false }, () => (answers.shift() ?? (() => Promise.resolve(open)))())
    await live.settle()
    await live.tick()
    expect(live.connections).toEqual([false, true])
    expect(live.seen).toEqual(['open'])
  })

  it('ignores invalid events of a checkout', async () => {
    const live = following({ isOpen: true }, async () => open)
    await live.settle()
    live.emit({ status: 'strange' })
    expect(live.seen).toEqual(['open'])
  })
})
