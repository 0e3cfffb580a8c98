import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startProcess } from '@quittance/http/testing/child-process'
import { temporaryDirectory } from '@quittance/http/testing/service'
import { asShown, blocksOf } from './testing/shown.ts'

const blocks = blocksOf(readFileSync(new URL('quickstart.md', import.meta.url), 'utf8'))
const end = '--- the end of a block ---'

it('the quickstart gives the shown answers, with a shell and curl alone', async () => {
  const directory = temporaryDirectory()
  const service = await startProcess(join(directory.path, 'data'))
  try {
    const steps = blocks.filter(({ text }) => !/^npm /.test(text))
    const script = steps.filter(({ language }) => language === 'sh').map(({ text }) => `${text}echo '${end}'\n`)
    const { stdout } = await promisify(execFile)('sh', ['-euc', `exec 2>&1\n${script.join('')}`], {
      cwd: directory.path,
      timeout: 60_000,
    })
    const printed = stdout.split(`${end}\n`)
    let asked = 0
    let compared = 0
    for (const { language, text } of steps) {
      if (language === 'sh') asked += 1
      else {
        compared += 1
        const lastLine = printed[asked - 1]?.trim().split('\n').at(-1) ?? ''
        if (language === 'text') expect(lastLine).toBe(text.trim())
        else expect(JSON.parse(lastLine)).toEqual(asShown(JSON.parse(text)))
      }
    }
    expect(compared).toBeGreaterThan(10)
    expect(await service.stop()).toBe(0)
  } finally {
    await service.kill()
    directory.remove()
  }
})
