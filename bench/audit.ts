import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { done, right } from '@quittance/billing/testing/outcomes'
import { verify } from '@quittance/event-store/sqlite'
import { configFrom, openPlatform } from '@quittance/host'
import { subscribeForDays } from './audit/daily-subscription.ts'
import { openBenchPlatform, sampleProduct } from './platform.ts'
import { type Benchmark, median, type Report } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const eventsOfSale = 10
const rounds = 5
const callers = 64
const commandsPerRound = 6_400
const betweenFeedsMs = 1_000

const writeSales = fileURLToPath(new URL('./write-sales.ts', import.meta.url))
const rebuildCase = fileURLToPath(new URL('./audit/rebuild-case.ts', import.meta.url))

const run = (program: string, ...words: ReadonlyArray<string>): string =>
  execFileSync(process.execPath, ['--no-warnings', program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
    .toString('utf8')
    .trim()

const inSeconds = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1_000
}

/** The hash chains of a log of paid sales, and its read models made again. */
const wholeLog = (events: number, ofRebuild: number): Promise<Report> =>
  inTemporaryFolder(async (folder) => {
    const [large, small] = [join(folder, 'large'), join(folder, 'small')]
    run(writeSales, large, String(events / eventsOfSale))
    const seconds = await inSeconds(async () => {
      const { ok, events: found } = await verify(large)
      if (!ok || found !== events) throw new Error(`${found} of ${events} events were verified`)
    })
    run(writeSales, small, String(ofRebuild / eventsOfSale))
    run(rebuildCase, small, 'make')
    const rebuilt: { readonly seconds: number; readonly applied: number; readonly peakMb: number } = JSON.parse(
      run(rebuildCase, small),
    )
    return {
      [`verified of ${events} events, events per second`]: events / seconds,
      [`rebuilt of ${ofRebuild} events, events of the log per second`]: ofRebuild / rebuilt.seconds,
      'rebuilt, events applied to all read models per second': rebuilt.applied / rebuilt.seconds,
      'rebuilt, peak memory, MB': rebuilt.peakMb,
    }
  })

/** Durable commands by many callers, without the tree and while it is fed; rounds alternate. */
const besideTheTree = (): Promise<Report> =>
  inTemporaryFolder(async (folder) => {
    const { billing, newContext, close } = await openBenchPlatform(join(folder, 'data'))
    const caller = async (): Promise<void> => {
      for (let n = 0; n < commandsPerRound / callers; n += 1)
        await done(billing.products.create(newContext(), sampleProduct))
    }
    const append = () => inSeconds(() => Promise.all(Array.from({ length: callers }, caller)))
    const fedMeanwhile = async (): Promise<number> => {
      let isOver = false
      const feeding = async (): Promise<void> => {
        while (!isOver) {
          await done(billing.transparency.feed)
          await pause(betweenFeedsMs)
        }
      }
      const fed = feeding()
      const seconds = await append()
      isOver = true
      await fed
      return seconds
    }
    await append()
    const times: Array<{ readonly without: number; readonly fed: number }> = []
    for (let round = 0; round < rounds; round += 1) {
      const without = await append()
      await done(billing.transparency.feed)
      times.push({ without, fed: await fedMeanwhile() })
      await done(billing.transparency.feed)
    }
    await close()
    return {
      'commands per second, without the tree': commandsPerRound / median(times.map(({ without }) => without)),
      'commands per second, while it is fed': commandsPerRound / median(times.map(({ fed }) => fed)),
      'slower by the tree, %': 100 * (median(times.map(({ fed, without }) => fed / without)) - 1),
    }
  })

/** The history and the evidence of a subscription that renews each day. */
const oneSubscription = (days: number): Promise<Report> =>
  inTemporaryFolder(async (dataDir) => {
    const { merchantId, subscriptionId: id } = await subscribeForDays(dataDir, days)
    const config = right(configFrom({ QUITTANCE_DATA_DIR: dataDir, QUITTANCE_LOG_LEVEL: 'silent' }))
    const { billing, close } = right(await openPlatform(config))
    const scope = { merchantId, environment: 'testnet' as const }
    const told: Array<number> = []
    let entries = 0
    for (let round = 0; round <= rounds; round += 1)
      told.push(
        await inSeconds(async () => {
          entries = (await done(billing.histories.of(scope, { kind: 'subscription', id }))).resources.length
        }),
      )
    await done(billing.transparency.sign)
    const bundled: Array<number> = []
    let size = 0
    for (let round = 0; round < rounds; round += 1)
      bundled.push(
        await inSeconds(async () => {
          size = (await done(billing.evidence(scope, 'subscription', id))).length
        }),
      )
    await close()
    return {
      [`timeline of ${entries} events, the first time, ms`]: 1_000 * (told[0] ?? Number.NaN),
      [`timeline of ${entries} events, ms`]: 1_000 * median(told.slice(1)),
      [`evidence of ${entries} events, ms`]: 1_000 * median(bundled),
      [`evidence of ${entries} events, kB`]: size / 1_000,
    }
  })

/**
 * What an audit costs: verifying `--events` (1,000,000) and rebuilding read models of `--rebuilt` (200,000), commands beside
 * the tree over the log, and the timeline and evidence of subscriptions of about 1,000 and 100 events.
 */
export const audit: Benchmark = async (flags) => {
  const text = { type: 'string' } as const
  const options = { events: text, rebuilt: text, json: { type: 'boolean' } } as const
  const { events = '1000000', rebuilt = '200000' } = parseArgs({ args: [...flags], options }).values
  return {
    ...(await oneSubscription(70)),
    ...(await oneSubscription(6)),
    ...(await besideTheTree()),
    ...(await wholeLog(Number(events), Number(rebuilt))),
  }
}
