import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'

describe('screening', () => {
  let directory: TestDirectory
  beforeAll(() => {
    directory = onChosenStore()
  })
  afterAll(() => directory.remove())

  it('lists nothing where nothing is held', async () => {
    expect(await directory.json('screening', 'list')).toEqual([])
    expect((await directory.inside('screening', 'list')).stdout).toBe('Nothing is held.\n')
  })

  it.each(['rf_0350octnLi7Ud5KSrjAyiq', 'exc_0350octnLi7Ud5KSrjAyiq', 'nothing'])(
    'decides nothing about %s, which is not held',
    async (subject) => {
      const words = ['screening', 'resolve', 'accept', '--subject', subject, '--reason', 'a try', '--json']
      const { status, stderr } = await directory.inside(...words)
      expect([status, JSON.parse(stderr).code]).toEqual([1, 'not_held'])
    },
  )
})
