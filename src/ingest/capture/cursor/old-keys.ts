/** The keys under which versions before 2026 kept conversations in a workspace's ItemTable. No other key of that table is ever read. */

export const OLD_KEYS = {
  chats: 'workbench.panel.aichat.view.aichat.chatdata',
  composers: 'composer.composerData',
  prompts: 'aiService.prompts',
  generations: 'aiService.generations',
} as const
