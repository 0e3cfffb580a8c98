import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from '@quittance/event-store/postgres/testing/cluster'
import { startTroubledProxy, type TroubledProxy } from '@quittance/event-store/postgres/testing/troubled-proxy'
import { compiledOnce } from '@quittance/http/testing/child-process'
import type { LastingNetwork } from '@quittance/http/testing/kills/lasting-network'
import { startVictim } from '@quittance/http/testing/kills/victim'
import { factsIn } from '@quittance/http/testing/service'
import { startWorker } from '@quittance/worker/testing/worker-process'

/** A process that is started again whenever it has ended. */
export type Member = {
  readonly name: string
  readonly proxy: TroubledProxy
  /** The address of a server that listens; null otherwise. */
  readonly url: () => string | null
  readonly isReady: () => boolean
  readonly signal: (name: NodeJS.Signals) => void
  /** Ends it for good. */
  readonly end: () => Promise<void>
}

type Life = {
  readonly signal: (name: NodeJS.Signals) => void
  /** Its address, or its name for a worker; null where it ended before it was ready. */
  readonly ready: Promise<string | null>
  /** Null where it was killed; otherwise what it said. */
  readonly ended: Promise<string | null>
}

const betweenLivesMs = 300

/** Servers and workers on one database and one data directory, each with a proxy of its own to PostgreSQL. */
export const startFleet = async (
  { dataDir, cluster, network }: { dataDir: string; cluster: Cluster; network: LastingNetwork },
  { servers, workers }: { servers: number; workers: number },
) => {
  const counts = { 'ended at their start': 0, lives: 0 }
  const wrong: Array<string> = []
  const settingsFor = (proxy: TroubledProxy) => ({
    QUITTANCE_DATABASE_URL: `postgres://quittance@127.0.0.1:${proxy.port}/postgres?sslmode=disable`,
    QUITTANCE_PAYER_RATE_LIMIT: '1000000',
  })

  const startServer = (proxy: TroubledProxy): Life => {
    const { url, died, signal } = startVictim(dataDir, null, settingsFor(proxy))
    const ended = died.then(() => null, String)
    return { signal, ready: url, ended }
  }
  const startOneWorker = (proxy: TroubledProxy, name: string): Life => {
    const worker = startWorker({
      ...compiledOnce,
      ...settingsFor(proxy),
      QUITTANCE_DATA_DIR: dataDir,
      NODE_NO_WARNINGS: '1',
    })
    const ended = worker.ended.then(({ code, stderr }) => (code === null ? null : `it ended with ${code}: ${stderr}`))
    // On a busy machine a start may take longer than one look waits.
    let isEnded = false
    void ended.then(() => {
      isEnded = true
    })
    const ready = (): Promise<string | null> =>
      worker.logged('the worker is ready').then(
        () => name,
        () => (isEnded ? null : ready()),
      )
    return { signal: worker.kill, ready: Promise.race([ready(), ended.then(() => null)]), ended }
  }

  const enlist = async (name: string, start: (proxy: TroubledProxy, name: string) => Life): Promise<Member> => {
    const proxy = await startTroubledProxy(cluster.port)
    let [isOver, at, life]: [boolean, string | null, Life | null] = [false, null, null]
    const live = async (): Promise<void> => {
      while (!isOver) {
        network.announce('all')
        counts.lives += 1
        const current = start(proxy, name)
        life = current
        const ready = await current.ready
        at = ready
        const said = await current.ended
        at = null
        if (said !== null && ready === null) counts['ended at their start'] += 1
        if (said !== null && ready !== null && !isOver) wrong.push(`${name} ended by itself: ${said}`)
        if (!isOver) await pause(betweenLivesMs)
      }
    }
    const living = live()
    return {
      name,
      proxy,
      url: () => at,
      isReady: () => at !== null,
      signal: (signal) => life?.signal(signal),
      end: async () => {
        isOver = true
        life?.signal('SIGKILL')
        await living
        proxy.close()
      },
    }
  }

  const members: Array<Member> = []
  const add = async (name: string, start: (proxy: TroubledProxy, name: string) => Life): Promise<void> => {
    members.push(await enlist(name, start))
  }
  const allReady = async (): Promise<void> => {
    while (!members.every((member) => member.isReady())) await pause(50)
  }
  // The first one makes the tables, the merchant and the master key.
  await add('server 1', startServer)
  await allReady()
  // Before the next start replaces the facts.
  const apiKey = factsIn(dataDir).api_key
  for (let n = 2; n <= servers; n++) await add(`server ${n}`, startServer)
  for (let n = 1; n <= workers; n++) await add(`worker ${n}`, startOneWorker)
  await allReady()
  return {
    members,
    apiKey,
    counts,
    wrong,
    allReady,
    urls: (): ReadonlyArray<string> =>
      members
        .flatMap((member) => (member.name.startsWith('server') ? [member.url()] : []))
        .filter((url) => url !== null),
    end: async (): Promise<void> => {
      await Promise.all(members.map((member) => member.end()))
    },
  }
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>
