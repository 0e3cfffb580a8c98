#!/usr/bin/env node
import { quittance } from './quittance.ts'

const { status, stdout, stderr } = await quittance(process.argv.slice(2), process.env)
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = status
