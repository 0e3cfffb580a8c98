import { type ServiceProcess, startProcess } from '../testing/child-process.ts'
import { type HttpResponse, problem } from '../testing/client.ts'
import { type KeyedCommand, keyedCommands, keyedElsewhere, type Shop } from '../testing/keyed-commands.ts'
import { openKeyedShop } from '../testing/keyed-shop.ts'
import { type KeyedRequest, type KillableService, startKillable } from '../testing/killable.ts'
import { temporaryDirectory } from '../testing/service.ts'

type Begun = {
  readonly command: KeyedCommand
  readonly step: number
  readonly tag: string
  readonly request: KeyedRequest
}
/** A request whose process died before its n-th step: with the same one, and another one under its key, right after. */
type Run = Begun & { readonly atOnce: HttpResponse; readonly another: HttpResponse }

const lanes = 3
const leaseSeconds = 30
/** How often a step may be missed before it counts as none. */
const mostMissed = 10
const lists = ['/product', '/customers', '/checkout', '/webhooks']
// Payers and wallets are told where the service is, so both processes have to be at one place.
const environment = { QUITTANCE_PUBLIC_URL: 'https://shop.example' }

/** Without what differs from one run to the next. */
const plain = (value: unknown, tag: string): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(tag, 'tag')
      .replaceAll(/\b[a-z]{2,4}_[0-9A-Za-z]{22}\b/g, 'id')
      .replaceAll(/whsec_[\w+/=-]+/g, 'secret')
      .replaceAll(/"transaction":"[^"]+"/g, '"transaction":"xdr"')
      .replaceAll(/(?<![\w-])[\w-]{43}(?=")/g, 'token')
      .replaceAll(/\bG[A-Z2-7]{55}\b/g, 'address')
      .replaceAll(/\b[0-9a-f]{64}\b/g, 'hash')
      .replaceAll(/\+1555\d+/g, 'phone')
      .replaceAll(/"(consumed|balance|units_remainder|balance_after)":\d+/g, '"$1":0')
      .replaceAll(/"progress":\{[^}]+\}/g, '"progress":{}')
      .replaceAll(/"all_noticed":true/g, '"all_noticed":false')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'),
  )

describe('a keyed request whose process is killed before any step', () => {
  const directory = temporaryDirectory()
  const living = new Set<KillableService>()
  const runs: Array<Run> = []
  const late = new Map<Run, HttpResponse>()
  let service: ServiceProcess
  let shop: Shop

  /** Asks until the ledger can be asked: on a busy machine it is silent now and then. */
  const ask = async ({ method, path, body, key }: KeyedRequest): Promise<HttpResponse> => {
    const sent = { method, ...(body === undefined ? {} : { body }), headers: { 'idempotency-key': key } }
    for (let tries = 0; ; tries++) {
      const answer = await service.api(path, sent)
      if (answer.status !== 503 || tries === mostMissed) return answer
    }
  }
  /** Another request under the same key. */
  const another = ({ path, body, ...rest }: KeyedRequest): KeyedRequest =>
    body === undefined ? { ...rest, body, path: `${path}?another` } : { ...rest, path, body: `${body} ` }
  const begin = async (command: KeyedCommand, step: number, missed = 0): Promise<Begun> => {
    const tag = `t${keyedCommands.indexOf(command)}x${step}x${'m'.repeat(missed)}`
    return { command, step, tag, request: { ...(await command.given(shop, tag)), key: tag } }
  }

  const afterDeath = async (begun: Begun): Promise<void> => {
    runs.push({ ...begun, atOnce: await ask(begun.request), another: await ask(another(begun.request)) })
  }

  /**
   * Kills a process before each step of each command, until none are waiting. What is about to answer waits for the
   * death that the next one brings, so that no process is needed for it alone.
   */
  const killAtEveryStep = async (waiting: Array<KeyedCommand>): Promise<void> => {
    let killable: KillableService | null = null
    let heldBack: Array<Begun> = []
    for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
      // Before the first step nothing is written yet, whatever the command.
      let [step, missed, isOver] = [command === keyedCommands[0] ? 1 : 2, 0, false]
      while (!isOver) {
        killable ??= await startKillable(directory.path, service.facts.api_key, environment)
        living.add(killable)
        const begun = await begin(command, step, missed)
        const course = await killable.killAt(begun.request, step)
        // A commit that a worker has begun is a step of none, an append that was sent twice is two.
        if (course === 'answered' && ++missed < mostMissed) continue
        // Another process asks another node.
        const asksAnew = course === 'no ledger' && ++missed < mostMissed
        isOver = course !== 'died' && !asksAnew
        if (course === 'died' || course === 'held back') heldBack.push(begun)
        if (!asksAnew) step += 1
        if (isOver && waiting.length > 0) continue
        await killable.kill()
        living.delete(killable)
        killable = null
        for (const each of heldBack) await afterDeath(each)
        heldBack = []
      }
    }
  }

  /** All that merchants are shown, as it was written last. */
  const everything = async (): Promise<ReadonlyArray<string>> => {
    const shown: Array<string> = []
    for (const list of [...lists, `${shop.credits}/transactions`]) {
      for (let cursor = ''; ; ) {
        const { data } = (await service.api(`${list}?limit=100${cursor}`)).body
        for (const each of data.data) shown.push(JSON.stringify(each))
        if (!data.has_more) break
        cursor = `&starting_after=${data.data.at(-1).id}`
      }
    }
    return shown
  }
  /** What is shown of a run. */
  const seenIn = (shown: ReadonlyArray<string>, { tag }: Pick<Run, 'tag'>) =>
    shown
      .filter((each) => each.includes(tag))
      .map((each) => JSON.stringify(plain(JSON.parse(each), tag)))
      .sort()

  beforeAll(async () => {
    service = await startProcess(directory.path, environment)
    shop = await openKeyedShop(service)

    const waiting = [...keyedCommands]
    const ended = await Promise.allSettled(Array.from({ length: lanes }, () => killAtEveryStep(waiting)))
    for (const each of ended) if (each.status === 'rejected') throw each.reason
    await service.api('/sandbox/advance', { body: { seconds: leaseSeconds } })
    for (const run of runs) late.set(run, await ask(run.request))
  })
  afterAll(async () => {
    await Promise.all([...living].map((killable) => killable.kill()))
    await service.kill()
    directory.remove()
  })

  it('tests every command of the reference', async () => {
    const { paths } = (await service.anyone('/openapi.json')).body
    const keyed = Object.keys(paths).flatMap((path) =>
      Object.keys(paths[path])
        .filter((method) => JSON.stringify(paths[path][method].parameters ?? []).includes('IdempotencyKey'))
        .map((method) => `${method.toUpperCase()} ${path.replace('/products', '/product')}`),
    )
    const killed = runs.map(({ command }) => command.route)
    expect(new Set([...killed, ...keyedElsewhere])).toEqual(new Set(keyed))
    const diedOnce = keyedCommands.filter((command) => runs.filter((run) => run.command === command).length < 2)
    expect(diedOnce.map(({ route, how }) => [route, how])).toEqual([])
  })

  it('makes a retry wait while the dead process may be alive, and refuses other requests under its key', () => {
    for (const { command, step, atOnce, another: other } of runs) {
      const told = {
        of: `${command.route} ${command.how} ${step}`,
        status: atOnce.status,
        other: [other.status, other.body.code],
      }
      const [status] = [200, 409].filter((each) => each === atOnce.status)
      expect(told).toEqual({ of: told.of, status, other: [422, 'idempotency_key_reused'] })
      if (atOnce.status === 200) continue
      expect(atOnce.body).toEqual(problem('request_in_progress'))
      expect(Number(atOnce.headers.get('retry-after'))).toBeLessThanOrEqual(leaseSeconds)
    }
  })

  it('another process completes the request of a dead one once, and repeats its answer from then on', async () => {
    const controls: Array<Begun & { readonly answer: HttpResponse }> = []
    for (const command of keyedCommands) {
      const control = await begin(command, 0)
      controls.push({ ...control, answer: await ask(control.request) })
    }
    const shown = await everything()
    for (const { command, tag, answer } of controls) {
      const expected = { answer: plain(answer.body, tag), seen: seenIn(shown, { tag }) }
      expect([command.route, answer.status]).toEqual([command.route, 200])
      for (const run of runs.filter((each) => each.command === command)) {
        const { route, how } = command
        const first = late.get(run)
        const was = { route, how, step: run.step, answer: plain(first?.body, run.tag), seen: seenIn(shown, run) }
        expect(was).toEqual({ route, how, step: run.step, ...expected })
        expect((await ask(run.request)).body).toEqual(first?.body)
        expect((await ask(another(run.request))).status).toBe(422)
      }
    }
  })
})
