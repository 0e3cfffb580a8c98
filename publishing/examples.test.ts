import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type ServiceProcess, startProcess } from '@quittance/http/testing/child-process'
import { eventually } from '@quittance/http/testing/eventually'
import { asShown, blocksOf } from '../docs/testing/shown.ts'
import { readManifest, root } from './packages.ts'
import { attempt, run } from './testing/run.ts'
import { openShell } from './testing/shell.ts'

/** Makes a server listen, and answers its address. */
const listening = async (server: Server): Promise<string> => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
}

/** A port that nothing listens on. */
const freePort = async (): Promise<string> => {
  const server = createServer()
  const { port } = new URL(await listening(server))
  server.close()
  return port
}

const lastLine = (output: string): string => output.trim().split('\n').at(-1) ?? ''

/**
 * Runs the commands of an example's README in a folder, on another port than its 4000, and compares what they print with
 * what it shows. Commands that run in the repository are not run. What follows a process in the background is awaited.
 */
const followReadme = async (example: string, folder: string, env: NodeJS.ProcessEnv): Promise<number> => {
  const port = await freePort()
  const page = readFileSync(join(root, 'examples', example, 'README.md'), 'utf8').replaceAll('4000', port)
  const shell = openShell(folder, { ...env, PORT: port })
  let compared = 0
  try {
    let ran = { output: '' }
    for (const { language, text } of blocksOf(page)) {
      if (language === 'sh') {
        if (/^npm (ci|run build)/.test(text)) continue
        const { status, output } = await shell.run(text)
        expect({ text, status, output }).toEqual({ text, status: 0, output })
        ran = { output }
      } else {
        compared += 1
        if (language === 'json') expect(JSON.parse(lastLine(ran.output))).toEqual(asShown(JSON.parse(text)))
        else if (!ran.output.includes(text.trim())) await shell.until(text.trim())
      }
    }
    return compared
  } finally {
    await shell.close()
  }
}

/** The environment of a stranger with this Node: without what npm sets for its scripts. */
const plain = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_(OPTIONS|COMPILE_CACHE)|QUITTANCE_)/i.test(name)),
  ),
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
})

/** A folder that looks like the repository to the commands of a README. */
const likeRepository = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-example-'))
  for (const name of ['examples', 'dist']) symlinkSync(join(root, name), join(folder, name))
  return folder
}

describe('examples/express-merchant', () => {
  let folder: string
  let service: ServiceProcess
  beforeAll(async () => {
    folder = likeRepository()
    service = await startProcess(join(folder, 'data'))
  })
  afterAll(async () => {
    await service.stop()
    rmSync(folder, { recursive: true })
  })

  it('sells by the commands of its README, in a folder of its own', async () => {
    expect(await followReadme('express-merchant', folder, plain())).toBe(6)
  })

  /** The example, installed in a folder of its own. */
  const installed = (name: string): string => {
    const path = join(folder, name)
    cpSync(join(root, 'examples/express-merchant'), path, { recursive: true })
    run(path, 'npm', 'install', '--no-audit', '--no-fund')
    return path
  }

  it('takes a delivery as it came, and refuses the same with its body written anew', async () => {
    const port = await freePort()
    const statuses: Array<number> = []
    const between = createServer(async (request, response) => {
      const body = await text(request)
      const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type'].map((name) => [
        name,
        String(request.headers[name]),
      ])
      for (const each of [JSON.stringify(JSON.parse(body), null, 2), body]) {
        const sent = { method: 'POST', headers: Object.fromEntries(headers), body: each }
        statuses.push((await fetch(`http://127.0.0.1:${port}${request.url}`, sent)).status)
      }
      response.writeHead(statuses.at(-1) ?? 500).end()
    })
    const address = await listening(between)
    const shell = openShell(installed('tampered'), {
      ...plain(),
      PORT: port,
      SHOP_URL: address,
      QUITTANCE_URL: service.url,
      QUITTANCE_KEY: service.facts.api_key,
    })
    try {
      await shell.run('npm start &')
      await shell.until('The shop is at')
      const order = async (path: string, body?: object) => {
        const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
        return JSON.parse(await (await fetch(`http://127.0.0.1:${port}${path}`, body && init)).text())
      }
      const { id, pay_at } = await order('/orders', { email: 'grace@example.com' })
      await service.api('/sandbox/pay', { body: { checkout_id: /chk_\w+/.exec(pay_at)?.[0] } })
      const paid = await eventually(
        () => order(`/orders/${id}`),
        ({ status }) => status === 'paid',
      )
      expect([paid.status, statuses]).toEqual(['paid', [400, 204]])
    } finally {
      await shell.close()
      between.closeAllConnections()
      between.close()
    }
  })

  it('has no type errors, with the types of Express', () => {
    const typed = installed('typed')
    const { devDependencies: versions } = readManifest('.')
    const tools = ['typescript', '@types/node'].map((name) => `${name}@${versions?.[name]}`)
    run(typed, 'npm', 'install', '--no-audit', '--no-fund', '--save-dev', '@types/express@5', ...tools)
    const options = ['--noEmit', '--allowJs', '--checkJs', '--strict', '--module', 'nodenext', '--types', 'node']
    expect(attempt(typed, join(typed, 'node_modules/.bin/tsc'), ...options, 'server.js')).toEqual({
      status: 0,
      output: '',
    })
  })
})

describe('examples/commerce-platform', () => {
  it('installs the packed packages and sells by the commands of its README, in a folder of its own', async () => {
    const folder = likeRepository()
    try {
      expect(await followReadme('commerce-platform', folder, plain())).toBe(9)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
