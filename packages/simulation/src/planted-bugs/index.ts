import type { Plant } from '../stage.ts'
import { followingBugs } from './following.ts'
import { sendingBugs } from './sending.ts'

/** Bugs of which every one has to be found. */
export const plantedBugs: Readonly<Record<string, Plant>> = { ...followingBugs, ...sendingBugs }
