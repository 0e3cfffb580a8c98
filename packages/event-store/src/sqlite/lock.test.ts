import { lockFile } from './lock.ts'
import { temporaryFile } from './testing/process.ts'

describe('the lock of a file', () => {
  const file = temporaryFile()
  afterAll(file.remove)

  it("only one holder has a file's lock at a time", () => {
    const release = lockFile(file.path)
    expect(lockFile(file.path)).toBeNull()
    release?.()
    const again = lockFile(file.path)
    expect([release, again]).toEqual([expect.any(Function), expect.any(Function)])
    again?.()
  })

  it('a lock covers only its file', () => {
    const [one, other] = [lockFile(file.path), lockFile(`${file.path}-2`)]
    expect([one, other]).toEqual([expect.any(Function), expect.any(Function)])
    one?.()
    other?.()
  })
})
