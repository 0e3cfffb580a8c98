import { defineConfig } from 'vite'

/** The pages run under a policy without inline scripts and styles, so nothing is put into the document itself. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  oxc: { jsx: { importSource: 'preact' } },
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
})
