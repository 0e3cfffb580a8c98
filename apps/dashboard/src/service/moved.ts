import { signal } from '@preact/signals'

/** How often the sandbox's clock was moved here: pages load again when it is. */
export const moved = signal(0)
