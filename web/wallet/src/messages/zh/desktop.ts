import type { desktop as english } from "../en/desktop.js";
import type { Translated } from "../types.js";

export const desktop: Translated<typeof english> = {
  "desktop.about":
    "在您的计算机上运行的 Monero 钱包。它在这里查找您的付款，并用您的密钥签名；只有读取区块链和发送时才需要节点。",
  "desktop.ended": "glim 已结束",
  "desktop.endedNext": "您的钱包已关闭。再次启动 glim 即可打开它们。您可以关闭此页面。",
  "desktop.files": "您的钱包是此计算机上的文件",
  "desktop.filesAbout": "它们位于文件夹 {folder} 中。未在此处打开时，也可以用 glim 的命令打开它们。",
  "desktop.footer": "您的密钥保存在此计算机上。没有其他人能为您恢复。",
  "desktop.quit": "退出 glim",
  "desktop.quitAbout": "关闭此页面后，glim 会继续扫描。退出会关闭所有钱包。",
  "desktop.used": "此地址已被使用过",
  "desktop.usedNext": "glim 的地址只能打开一个页面一次。再次启动 glim 会得到新的地址；正在运行的 glim 会继续运行。",
};
