import { readFileSync } from 'node:fs'
import { startTrap } from '../../../testing/delivery/trap.ts'
import { type Trick, tricks } from '../../../testing/delivery/tricks.ts'
import type { PostResult } from './sender.ts'

const inWords = (answer: PostResult): string => {
  switch (answer._tag) {
    case 'AddressRefused':
      return 'refused; nothing is connected to'
    case 'TimedOut':
      return 'given up when time is up'
    case 'Unreachable':
      return `fails (\`${answer.cause}\`)`
    case 'Answered': {
      const isArrived = answer.status >= 200 && answer.status < 300
      const read =
        answer.body === '' ? '' : answer.body.length > 500 ? '; its first KiB is read' : '; what came in time is read'
      return `${isArrived ? 'arrives' : 'fails'} (${answer.status})${read}`
    }
  }
}

const outcomeOf = async ({ url, others, handler, totalMs, mayBeLoopback, times = 1 }: Trick) => {
  if (!URL.canParse(url.replace('PORT', '443')))
    return { outcome: 'no address: refused when the endpoint is made', caught: 0 }
  const given = totalMs === undefined ? {} : { totalMs }
  const trap = await startTrap(handler ?? ((_, response) => void response.end()), others, given)
  try {
    let answer = await trap.post(url, mayBeLoopback)
    for (let n = 1; n < times; n++) answer = await trap.post(url, mayBeLoopback)
    return { outcome: inWords(answer), caught: trap.caught() }
  } finally {
    await trap.stop()
  }
}

const hostOf = ({ url }: Trick): string => url.replace(':PORT/', '').replace('https://', '')

describe('malicious endpoints', () => {
  const told: Array<string> = []
  it.each(tricks)('reaches no inner address despite a malicious endpoint: $what, $url', async (trick) => {
    const { outcome, caught } = await outcomeOf(trick)
    told.push(`| ${trick.what} | \`${hostOf(trick)}\` | ${outcome} |`)
    expect(caught).toBe(0)
  })

  it('the documentation lists every trick with its outcome', () => {
    const written = readFileSync('docs/webhooks.md', 'utf8').split('\n')
    const first = written.indexOf(told[0] ?? '')
    expect(written.slice(first, first + told.length)).toEqual(told)
  })
})
