import { type WriteProbe, writesReadiness } from './writes-readiness.ts'

const fine: WriteProbe = async () => 'ok'

it('what is written is probed at most every three seconds, however often one asks', async () => {
  let [probes, now] = [0, 0]
  const database: WriteProbe = async () => {
    probes += 1
    return probes === 1 ? 'ok' : 'full'
  }
  const ready = writesReadiness({ database, vault: fine }, () => now)
  expect(await Promise.all([ready(), ready()])).toEqual(Array(2).fill({ database: 'ok', vault: 'ok' }))
  now = 2_999
  expect(await ready()).toEqual({ database: 'ok', vault: 'ok' })
  now = 3_000
  expect(await ready()).toEqual({ database: 'full', vault: 'ok' })
  expect(probes).toBe(2)
})

it('a database that does not answer in time fails, and holds up nothing else', async () => {
  const silent: WriteProbe = () => new Promise(() => undefined)
  expect(await writesReadiness({ database: silent, vault: fine })()).toEqual({ database: 'failing', vault: 'ok' })
})

it('a defect of a probe is told, and asked for again', async () => {
  let isBroken = true
  const database: WriteProbe = async () => {
    if (isBroken) throw new Error('a bug')
    return 'ok'
  }
  const ready = writesReadiness({ database })
  await expect(ready()).rejects.toThrow('a bug')
  isBroken = false
  expect(await ready()).toEqual({ database: 'ok' })
})
