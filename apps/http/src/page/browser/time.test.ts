import { createServerClock, timeLeft } from './time.ts'

describe('the remaining time', () => {
  it.each([
    [-1, '0:00'],
    [0, '0:00'],
    [1, '0:01'],
    [59_999, '1:00'],
    [899_000, '14:59'],
    [3_599_000, '59:59'],
    [3_600_000, '1 h 00 min'],
    [86_399_000, '23 h 59 min'],
  ])('shows %d ms as %s', (ms, expected) => expect(timeLeft(ms)).toBe(expected))
})

describe('the clock of the server', () => {
  it("uses the payer's clock before the first response, and then the latest time of the server", () => {
    const clock = createServerClock(() => 1_000)
    expect(clock.now()).toBe(1_000)
    clock.learn(400)
    expect(clock.now()).toBe(400)
    clock.learn(90_000)
    expect(clock.now()).toBe(90_000)
  })

  it("never sets the server's clock back for late or invalid times", () => {
    const clock = createServerClock(() => 1_000)
    clock.learn(5_000)
    clock.learn(4_000)
    clock.learn(Number.NaN)
    expect(clock.now()).toBe(5_000)
  })
})
