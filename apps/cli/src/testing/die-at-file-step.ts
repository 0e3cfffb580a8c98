import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** The variable that tells a process how many changes of files it survives. */
const stepVariable = 'QUITTANCE_TEST_DIE_AT_FILE_STEP'

// Loaded before a command: kills its process right before a change of files that it makes through `node:fs`.
const last = Number(process.env[stepVariable] ?? Number.POSITIVE_INFINITY)
let steps = 0
const dyingBefore =
  <Values extends ReadonlyArray<unknown>, Done>(change: (...values: Values) => Done) =>
  (...values: Values): Done => {
    steps += 1
    if (steps > last) process.kill(process.pid, 'SIGKILL')
    return change(...values)
  }

Object.assign(fs, {
  chmodSync: dyingBefore(fs.chmodSync),
  copyFileSync: dyingBefore(fs.copyFileSync),
  fsyncSync: dyingBefore(fs.fsyncSync),
  mkdirSync: dyingBefore(fs.mkdirSync),
  renameSync: dyingBefore(fs.renameSync),
  rmSync: dyingBefore(fs.rmSync),
  writeFileSync: dyingBefore(fs.writeFileSync),
})
syncBuiltinESMExports()
