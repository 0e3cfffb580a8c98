import { flushCompileCache } from 'node:module'

// Loaded before a process that will be killed: it writes its compile cache now, because it cannot at its end.
setTimeout(flushCompileCache, 1000).unref()
