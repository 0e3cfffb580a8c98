import { logLine, progressLine, progressLines } from './progress.ts'

const step = { model: 'payments', done: 51_200, all: 204_000, comparedRows: 0 }
const watched = (isTerminal: boolean) => {
  let written = ''
  let now = 1_000
  const screen = {
    isTerminal,
    showsOutput: false,
    write: (text: string) => {
      written += text
    },
  }
  const lines = progressLines(screen, () => now)
  return {
    ...lines,
    written: () => written,
    pass: (ms: number) => {
      now += ms
    },
  }
}

describe('progress lines', () => {
  it.each([
    { given: { ...step }, ms: 4_000, says: 'payments: 51,200 of 204,000 events, 12,800/s, 12 s left' },
    { given: { ...step, done: 0 }, ms: 4_000, says: 'payments: 0 of 204,000 events' },
    { given: { ...step }, ms: 0, says: 'payments: 51,200 of 204,000 events' },
    { given: { ...step, done: 2_000 }, ms: 10_000, says: 'payments: 2,000 of 204,000 events, 200/s, 16 min 50 s left' },
    { given: { ...step, done: 2_000 }, ms: 99_000, says: 'payments: 2,000 of 204,000 events, 20/s, 2 h 46 min left' },
    {
      given: { ...step, done: 204_000, comparedRows: 1 },
      ms: 10_000,
      says: 'payments: 204,000 of 204,000 events, 20,400/s, 1 row compared',
    },
  ])('writes a progress line: $says', ({ given, ms, says }) => {
    expect(progressLine(given, ms)).toBe(says)
  })

  it('replaces progress lines on a terminal, ten times a second at most, and removes them at the end', () => {
    const { show, end, written, pass } = watched(true)
    show(step)
    pass(100)
    show({ ...step, done: 100 })
    show({ ...step, done: 200 })
    pass(100)
    show({ ...step, done: 300 })
    end()
    expect(written()).toBe(
      '\rpayments: 100 of 204,000 events, 1,000/s, 3 min 24 s left\u001b[K' +
        '\rpayments: 300 of 204,000 events, 1,500/s, 2 min 16 s left\u001b[K\r\u001b[K',
    )
  })

  it('writes progress lines every five seconds elsewhere, the last one at the end', () => {
    const { show, end, written, pass } = watched(false)
    show(step)
    pass(5_000)
    show(step)
    pass(4_999)
    show({ ...step, done: 103_000 })
    show({ ...step, done: 204_000 })
    end()
    expect(written()).toBe(
      'payments: 51,200 of 204,000 events, 10,240/s, 15 s left\npayments: 204,000 of 204,000 events, 20,402/s\n',
    )
  })

  it('writes no progress lines if nothing was done', () => {
    const { end, written } = watched(false)
    end()
    expect(written()).toBe('')
  })
})

describe('a line about the log', () => {
  const shown = (isTerminal: boolean, parts: ReadonlyArray<number | null>): string => {
    const written: Array<string> = []
    const write = (text: string) => void written.push(text)
    const { show, end } = logLine({ isTerminal, showsOutput: true, write }, (count) => `${count} entries`)
    for (const [count, part] of parts.entries()) show(part, count)
    end()
    return written.join('')
  }

  it('shows each percent of the log once, and is removed at the end', () => {
    expect(shown(true, [0, 0.004, 0.25, 0.2599, 1])).toBe(
      '\rthe log: 0 %, 0 entries\u001b[K\rthe log: 25 %, 2 entries\u001b[K\rthe log: 100 %, 4 entries\u001b[K\r\u001b[K',
    )
  })

  it('names no percentage where the end of the log is not known', () => {
    expect(shown(true, [null])).toBe('\rthe log: 0 entries\u001b[K\r\u001b[K')
  })

  it('is not written elsewhere than on a terminal', () => {
    expect(shown(false, [0, 0.5])).toBe('')
  })
})
