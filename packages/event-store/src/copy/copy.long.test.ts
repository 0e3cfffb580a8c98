import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import { compare, copy, directions, fill, logs } from './testing/logs.ts'

const script = fileURLToPath(new URL('./testing/copying-process.ts', import.meta.url))

describe('copying a log', () => {
  let made: ReturnType<typeof logs>
  beforeEach(() => {
    made = logs()
  })
  afterEach(() => made.clear())

  it.each(directions)('from a %s to a %s goes on where it was when its process is killed', async (from, to) => {
    const [source, target] = [await made[from](), await made[to]()]
    await fill(source, 60, 0, 49)
    let lives = 0
    for (const killedAt of [1_000, 2_000]) {
      const child = spawn(process.execPath, ['--no-warnings', script, source, target], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'close')
      child.stdout.on('data', (chunk) => {
        if (Number(String(chunk).trim().split('\n').at(-1)) >= killedAt) child.kill('SIGKILL')
      })
      const [, signal] = await ended
      if (signal === 'SIGKILL') lives += 1
    }
    expect(lives).toBeGreaterThan(0)
    const { outcome } = await copy(source, target)
    expect(outcome).toEqual(E.right({ events: 3_000, copied: expect.any(Number) }))
    expect((await compare(source, target, 3_000)).outcome).toMatchObject(E.right({ events: 3_000, problems: [] }))
  })
})
