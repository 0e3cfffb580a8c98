import { spawn } from 'node:child_process'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { compiledOnce, startProcess } from './testing/child-process.ts'
import { eventually } from './testing/eventually.ts'
import { readinessAt } from './testing/readiness.ts'
import { temporaryDirectory } from './testing/service.ts'

const body = '{"name":"A book","type":"one_time","currency_code":"EUR","price_amount":12.5}'

/** Whether anything listens there. */
const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** Ends what is left of a group of processes. */
const endGroup = (leader: number): void => {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // There is none any more.
  }
}

describe('a service that gets a signal', () => {
  const directory = temporaryDirectory()
  afterAll(() => directory.remove())

  it('answers the current request after a signal, keeps its effect, logs its duration, and exits with 0', async () => {
    const service = await startProcess(directory.path, { QUITTANCE_LOG_LEVEL: 'info' })
    const port = Number(new URL(service.url).port)
    const socket = connect(port, '127.0.0.1')
    const heard = new Promise<string>((resolve) => {
      let all = ''
      socket.on('data', (chunk) => {
        all += chunk.toString()
      })
      socket.on('close', () => resolve(all))
    })
    const head = `POST /product HTTP/1.1\r\nhost: a\r\nx-api-key: ${service.facts.api_key}`
    socket.write(
      `${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
    )
    await new Promise((resolve) => socket.once('data', resolve)) // 100 Continue: the request has begun
    socket.write(body.slice(0, 20))
    const ended = service.stop()
    await eventually(
      () => isListening(port),
      (is) => !is,
    )
    socket.write(body.slice(20))
    const [, , answer = ''] = (await heard).split('\r\n\r\n')
    const product = JSON.parse(answer)
    expect(await ended).toBe(0)

    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.includes('request completed'))
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        reqId: expect.stringMatching(/^req_/),
        res: { statusCode: 200 },
        responseTime: expect.any(Number),
      }),
    ])

    const next = await startProcess(directory.path)
    expect((await next.api(`/product/${product.data.id}`)).body).toEqual(product)
    await next.kill()
  })

  it('says at /ready first that it stops, and loses no request of a client that then goes elsewhere', async () => {
    const service = await startProcess(directory.path, { QUITTANCE_STOP_DELAY_MS: '3000' })
    const { port } = new URL(service.url)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const statusOf = (path: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { 'x-api-key': service.facts.api_key }
        get({ agent, port, path, headers }, (response) =>
          response.resume().on('end', () => resolve(response.statusCode)),
        ).on('error', reject)
      })
    await eventually(
      () => statusOf('/ready'),
      (status) => status === 200,
    )
    const ended = service.stop()
    const answers: Array<unknown> = []
    while ((await statusOf('/ready')) === 200) answers.push(await statusOf('/products'))
    expect((await readinessAt(service.url)).body).toMatchObject({ status: 'not_ready', stopping: true })
    // Requests that were sent before the client had looked again.
    for (let n = 0; n < 20; n++) answers.push(await statusOf('/products'))
    expect(answers.filter((status) => status !== 200)).toEqual([])
    expect(await ended).toBe(0)
    agent.destroy()
  })

  it('the service leaves no listener behind when its npm gets the signal', async () => {
    const elsewhere = temporaryDirectory()
    const own = { QUITTANCE_PORT: '0', QUITTANCE_DATA_DIR: elsewhere.path, QUITTANCE_EVENT_STORE: 'sqlite' }
    // In a group of its own, so that nothing is left of it even where this fails.
    const npm = spawn('npm', ['start'], {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      env: { ...process.env, ...compiledOnce, ...own },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    const exited = new Promise((resolve) => npm.once('exit', resolve))
    let said = ''
    npm.stdout.on('data', (chunk) => {
      said += String(chunk)
    })
    try {
      const port = await eventually(
        async () => Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? 0),
        (found) => found > 0,
      )
      expect(await isListening(port)).toBe(true)
      npm.kill('SIGTERM')
      await exited
      await eventually(
        () => isListening(port),
        (is) => !is,
      )
    } finally {
      if (npm.pid !== undefined) endGroup(npm.pid)
      elsewhere.remove()
    }
  })
})
