import CoreImage.CIFilterBuiltins
import GlimKit
import SwiftUI

struct WalletView: View {
    @ObservedObject var model: WalletModel

    var body: some View {
        Group {
            switch model.stage {
            case .new: Beginning(model: model)
            case .locked: Button("Unlock") { model.unlock() }.buttonStyle(.borderedProminent)
            case .open: Home(model: model)
            }
        }
        .disabled(model.busy)
        .overlay { if model.busy { ProgressView() } }
        .alert("Seed words", isPresented: .constant(!model.words.isEmpty)) {
            Button("I have written them down") { model.words = "" }
        } message: {
            Text(
                model.words + "\n\nAnyone who has these words can spend your money. "
                    + "If you lose the phone, only they can restore it.")
        }
        .alert(
            model.preview.map { "\(formatXMR($0.amount)) XMR" } ?? "", isPresented: .constant(model.preview != nil),
            presenting: model.preview
        ) { _ in
            Button("Send") { model.confirm() }
            Button("Cancel", role: .cancel) { model.preview = nil }
        } message: { preview in
            Text("To \(preview.destinations.first?.address ?? "")\n\nThe fee is \(formatXMR(preview.fee)) XMR.")
        }
        .alert("Something went wrong", isPresented: .constant(!model.problem.isEmpty)) {
            Button("OK") { model.problem = "" }
        } message: {
            Text(model.problem)
        }
    }
}

private struct Beginning: View {
    let model: WalletModel
    @State private var words = ""
    @State private var date = ""

    var body: some View {
        Form {
            Section { Button("Create a wallet") { model.create() } }
            Section("Or restore one") {
                TextEditor(text: $words)
                    .frame(minHeight: 100).textInputAutocapitalization(.never).autocorrectionDisabled()
                TextField("Date of the wallet (YYYY-MM-DD)", text: $date)
                Button("Restore") { model.restore(words: words, date: date) }.disabled(words.isEmpty)
            }
        }
    }
}

private struct Home: View {
    @ObservedObject var model: WalletModel

    var body: some View {
        VStack {
            Text("\(formatXMR(model.balance?.total ?? 0)) XMR").font(.largeTitle)
            Text("\(formatXMR(model.balance?.unlocked ?? 0)) can be spent · \(model.progress)").font(.footnote)
            TabView {
                History(all: model.history).tabItem { Label("History", systemImage: "list.bullet") }
                Receive(address: model.address).tabItem { Label("Receive", systemImage: "qrcode") }
                SendForm(model: model).tabItem { Label("Send", systemImage: "paperplane") }
            }
        }
    }
}

private struct History: View {
    let all: [Transfer]

    var body: some View {
        List(all, id: \.self) { t in
            HStack {
                VStack(alignment: .leading) {
                    Text(t.date, style: .date)
                    Text(t.height == 0 ? "pending" : "\(t.confirmations) confirmations").font(.footnote)
                }
                Spacer()
                Text((t.kind == .out || t.kind == .pending ? "−" : "+") + formatXMR(t.amount))
            }
        }
    }
}

private struct Receive: View {
    let address: String

    var body: some View {
        VStack(spacing: 16) {
            if let code = qr("monero:" + address) {
                Image(decorative: code, scale: 1)
                    .interpolation(.none).resizable().scaledToFit().frame(width: 240, height: 240)
                    .accessibilityLabel("The address as a QR code")
            }
            Text(address).font(.footnote.monospaced()).textSelection(.enabled)
            ShareLink(item: address)
        }
        .padding()
    }

    private func qr(_ text: String) -> CGImage? {
        let filter = CIFilter.qrCodeGenerator()
        filter.message = Data(text.utf8)
        guard let image = filter.outputImage else { return nil }
        return CIContext().createCGImage(image, from: image.extent)
    }
}

private struct SendForm: View {
    let model: WalletModel
    @State private var to = ""
    @State private var amount = ""

    var body: some View {
        Form {
            TextField("Address or payment link", text: $to, axis: .vertical)
                .textInputAutocapitalization(.never).autocorrectionDisabled()
            TextField("XMR", text: $amount).keyboardType(.decimalPad)
            Button("Continue") { model.prepare(to: to, amount: amount) }.disabled(to.isEmpty)
        }
    }
}
