#!/usr/bin/env node
import { launch } from '@quittance/host/launch'

await launch('cli', () => import('./program.ts'))
