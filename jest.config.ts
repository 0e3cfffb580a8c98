import { accessSync, constants, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from 'jest'

/** Whether a folder can be written to and has 2 GiB left. */
const hasRoom = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > 2 ** 31
  } catch {
    return false
  }
}

// Tests create databases by the thousand. On a disk, they spend most of their time in waiting for it.
const memory = '/dev/shm'
if (process.env.TMPDIR === undefined && hasRoom(memory)) process.env.TMPDIR = memory

// Tests start processes by the hundred. Each reads the code that those before it compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

const config: Config = {
  testMatch: ['<rootDir>/{packages,apps,docs}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.(int|browser|long|pg)\\.test\\.ts$'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  testRunner: '<rootDir>/jest.runner.ts',
  testSequencer: '<rootDir>/jest.sequencer.ts',
  transform: {},
  testEnvironment: 'node',
  // Jest leaves one processor free, which on a machine with two means to run one suite after the other.
  maxWorkers: '100%',
  // Stops a test that hangs. It measures nothing: machines may be slow, and the events may be on a server.
  testTimeout: 120_000,
}

export default config
