import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@quittance/event-store/sqlite'
import { listen, openSandbox } from '@quittance/sandbox'
import { printed, runInside } from '../testing/run-cli.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const passphrase = 'A Network That Plays A Real One'
const kills = 12

describe('a command that is killed while a merchant moves', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-leaving-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Runs a command in its own process, and kills it after so long; whether it was killed. */
  const killed = (settings: Readonly<Record<string, string>>, words: ReadonlyArray<string>, afterMs: number) =>
    new Promise<boolean>((resolve) => {
      const child = spawn(process.execPath, [main, ...words], { env: settings, stdio: 'ignore' })
      const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
      child.on('exit', (_, signal) => {
        clearTimeout(timer)
        resolve(signal === 'SIGKILL')
      })
    })

  it('leaves whole files only, and a merchant that is at the destination altogether or not at all', async () => {
    const database = openDatabase(':memory:', { durability: 'full' })
    const node = await listen(openSandbox({ database, wallClock: Date.now, passphrase }))
    const at = (name: string) => {
      const settings = {
        QUITTANCE_DATA_DIR: join(folder, name),
        QUITTANCE_MASTER_KEY: name.repeat(64),
        QUITTANCE_TESTNET_RPC_URLS: node.url,
        QUITTANCE_TESTNET_PASSPHRASE: passphrase,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      }
      const json = async (...words: ReadonlyArray<string>) => printed(await runInside(settings, ...words, '--json'))
      return { settings, json }
    }
    const [source, destination] = [at('a'), at('b')]
    const { merchant_id } = (await source.json('merchant', 'create', '--name', 'Acme')) as { merchant_id: string }
    for (let keys = 0; keys < 20; keys++) await source.json('key', 'create')
    const { destination: to } = (await destination.json('merchant', 'import', '--prepare')) as { destination: string }

    await killed(source.settings, ['merchant', 'list'], 60_000)
    const began = performance.now()
    await killed(source.settings, ['merchant', 'list'], 60_000)
    let usualMs = performance.now() - began
    let deaths = 0
    /** Kills from before the files are opened until after a usual end, which comes earlier once the machine has less to do. */
    const dies = async (
      settings: typeof source.settings,
      words: ReadonlyArray<string>,
      kill: number,
    ): Promise<void> => {
      const delay = usualMs * (0.4 + (0.8 * kill) / kills)
      if (await killed(settings, words, delay)) deaths += 1
      else usualMs = Math.min(usualMs, delay)
    }

    const file = (kill: number): string => join(folder, `${kill}.export`)
    const leave = (path: string) => [
      'merchant',
      'export',
      '--merchant',
      merchant_id,
      '--to',
      to,
      '--reason',
      'r',
      '--file',
      path,
    ]
    for (let kill = 0; kill < kills; kill++) {
      await dies(source.settings, leave(file(kill)), kill)
      if (existsSync(file(kill))) await destination.json('merchant', 'inspect', '--file', file(kill))
    }
    const last = file(kills)
    await source.json(...leave(last))

    for (let kill = 0; kill < kills; kill++) {
      await dies(destination.settings, ['merchant', 'import', '--file', last], kill)
      const here = await destination.json('merchant', 'list')
      expect([[], [{ merchant_id, name: 'Acme' }]]).toContainEqual(here)
      expect(await destination.json('verify')).toMatchObject({ ok: true })
      const frozen = (await destination.json('freezes')) as ReadonlyArray<unknown>
      expect(frozen).toHaveLength((here as ReadonlyArray<unknown>).length)
    }
    const arrived = await destination.json('merchant', 'import', '--file', last)
    // The account was never funded, so there is nothing to rotate yet.
    expect(arrived).toMatchObject({ merchant_id, rotating: [] })
    expect(deaths).toBeGreaterThan(kills / 2)
    expect(await destination.json('verify')).toMatchObject({ ok: true })
    expect(await destination.json('key', 'list')).toHaveLength(21)
    await node.close()
  }, 300_000)
})
