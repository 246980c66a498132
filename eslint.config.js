import neostandard from 'neostandard'

/** Folders below each folder: imports point down only. */
const layers = ['routes', 'streams', 'agent', 'tools', 'model', 'store', 'workspace', 'protocol']
const mayImport = {
  routes: ['streams', 'agent', 'protocol'],
  streams: ['agent', 'protocol'],
  agent: ['tools', 'model', 'store', 'workspace', 'protocol'],
  tools: ['workspace', 'protocol'],
  model: ['protocol'],
  store: ['protocol'],
  workspace: ['protocol'],
  protocol: []
}

/** The runner awaits its tests itself. */
const testCalls = ['@tapjs/core', '@tapjs/test', 'tap'].map((name) => ({ from: 'package', package: name, name: 'test' }))

const layerRules = layers.map((layer) => ({
  files: [`src/${layer}/**/*.ts`],
  rules: {
    'no-restricted-imports': ['error', {
      patterns: [{
        group: [...layers.filter((other) => other !== layer && !mayImport[layer].includes(other)).map((other) => `**/${other}/**`), '**/app.ts', '**/main.ts', '**/config.ts'],
        message: `${layer}/ may import from ${[...mayImport[layer], 'limits.ts', 'errors.ts'].join(', ')} only.`
      },
      ...(layer === 'workspace'
        ? []
        : ['tools', 'agent', 'routes', 'streams'].includes(layer)
            ? [{ group: ['node:fs', 'node:fs/promises', 'node:child_process'], message: 'Workspace files are touched by workspace/ alone.' }]
            : [])]
    }]
  }
}))

export default [
  ...neostandard({ ts: true, ignores: ['build/**', 'dist/**', 'data/**', '.tap/**', 'coverage/**'] }),
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts', 'web/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true } },
    plugins: { '@typescript-eslint': neostandard.plugins['typescript-eslint'].plugin },
    rules: {
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: testCalls }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      'max-len': ['error', { code: 180, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreComments: true }],
      'no-redeclare': 'off', // a schema and its type share a name
      '@typescript-eslint/no-redeclare': 'off',
      'no-void': ['error', { allowAsStatement: true }] // says that a promise is left alone on purpose
    }
  },
  { files: ['src/**/*.ts'], ignores: ['src/main.ts', 'src/config.ts'], rules: { 'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'The environment is read in config.ts only.' }] } },
  ...layerRules
]
